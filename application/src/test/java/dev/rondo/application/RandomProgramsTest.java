package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.EveryBackend;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Random programs do the same on each backend, with and without observers, and with and without
/// the loop's short ways, which a listener or a policy disables. In no program does a task fail
/// because others are cancelled, do two tasks hold a lock, is an element lost or a task left.
@EveryBackend
final class RandomProgramsTest {

  private static final int PROGRAMS = 40;

  /// `-Drondo.test.seed=n` begins with another program.
  private static final long FIRST = Long.getLong("rondo.test.seed", 1);

  @Parameter(0)
  CoroutineBackend backend;

  private ApplicationBuilder set(ApplicationBuilder builder) {
    builder.backend(backend);
    return builder;
  }

  private static List<String> run(long seed, UnaryOperator<ApplicationBuilder> settings) {
    var program = new RandomProgram(seed);
    List<String> trace = program.run(settings);
    assertEquals(List.of(), program.mistakes(), () -> "program " + seed);
    return trace;
  }

  @Test
  void anyProgram_onThisBackend_doesWhatItDoesOnHandoff() {
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      List<String> expected =
          run(seed, builder -> builder.backend(CoroutineBackends.handoff()).bare());
      assertEquals(expected, run(seed, this::set), "program " + seed);
    }
  }

  @Test
  void anyProgram_withAListenerOrAPolicy_doesWhatItDoesWithout() {
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      List<String> expected = run(seed, this::set);
      assertEquals(
          expected,
          run(seed, builder -> set(builder).scheduler(s -> s.listener(new TaskListener() {}))),
          "program " + seed + " with a listener");
      assertEquals(
          expected,
          run(
              seed,
              builder -> set(builder).scheduler(s -> s.policy(SchedulingPolicies::roundRobin))),
          "program " + seed + " with a policy");
    }
  }
}
