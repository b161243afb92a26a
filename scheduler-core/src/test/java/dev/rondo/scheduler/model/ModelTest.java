package dev.rondo.scheduler.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.FakeTime;
import dev.rondo.scheduler.testing.RandomScripts;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs random scripts on a scheduler and on a [Model] of it. Both must agree about every result,
/// every value and every turn; each backend must give the same trace as CONTINUATION.
///
/// Millions of operations: `mvn -q test -pl scheduler-core -Dtest=ModelTest
/// -Drondo.test.backends=continuation -Drondo.test.scripts=10000 -Drondo.test.patience=3600`. To
/// repeat one seed: `-Drondo.test.seed=N`.
@Timeout(value = 1, unit = TimeUnit.HOURS) // SchedulerTest has less patience, unless told otherwise
@BackendsDiffer
class ModelTest extends SchedulerTest {

  private static final int LENGTH = 400;
  private static final int SCRIPTS = 10;

  private static SchedulerBuilder plain() {
    return Scheduler.builder().ticker(new FakeTime());
  }

  @Test
  void anyScript_roundRobin_agreesWithTheModelAndTheOtherBackends() {
    RandomScripts.check(
        "model on " + backend.name(),
        SCRIPTS,
        seed -> Operation.script(seed, LENGTH),
        script -> {
          SchedulerBuilder builder = plain().backend(backend);
          ScriptRun.Result here = ScriptRun.run(script, builder);
          if (here.difference().isEmpty()) {
            var reference =
                ScriptRun.run(script, plain().backend(CoroutineBackends.named("continuation")));
            assertEquals(reference, here, "another trace than on CONTINUATION");
          }
          return here.difference();
        });
  }

  @Test
  void anyScript_roundRobinAsAPolicy_agreesWithTheModel() {
    RandomScripts.check(
        "model with a policy on " + backend.name(),
        SCRIPTS,
        seed -> Operation.script(seed, LENGTH),
        script -> policy(script));
  }

  private Optional<String> policy(List<Operation> script) {
    return ScriptRun.run(script, plain().backend(backend).policy(SchedulingPolicies::roundRobin))
        .difference();
  }
}
