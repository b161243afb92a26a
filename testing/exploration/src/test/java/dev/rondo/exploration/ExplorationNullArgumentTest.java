package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ExplorationNullArgumentTest {

  @Test
  void null_anywhere_isRefusedByName() throws Exception {
    var arguments =
        new NullArguments(Scheduler::create)
            .sample(Choices.class, _ -> Choices.random(1))
            .sample(ChoiceSequence.class, _ -> ChoiceSequence.empty())
            .sample(Strategy.class, _ -> Strategy.uniform(1))
            .sample(Explorer.class, _ -> new Explorer(Strategy.uniform(1)))
            .sample(
                Exploration.class,
                _ -> new Explorer(Strategy.uniform(1)).runs(1).explore(choices -> {}));
    assertEquals(List.of(), arguments.notRefused(Choices.class));
  }
}
