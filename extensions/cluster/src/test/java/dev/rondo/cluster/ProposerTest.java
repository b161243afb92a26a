package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is proposed again, and how much of it, in virtual time.
final class ProposerTest extends AloneRig {

  private static final int VALUE_BYTES = 10_000;
  private static final int COMMANDS = 50;

  private final List<Command> proposed = new ArrayList<>();
  private Proposer proposer;

  @BeforeEach
  void open() {
    proposer =
        new Proposer(
            scheduler, "member", bytes -> proposed.add(Objects.requireNonNull(Command.of(bytes))));
    run(() -> {
      proposer.open();
      proposer.answered(proposer.session(), 0, Result.DONE);
      for (int i = 0; i < COMMANDS; i++) {
        var _ =
            proposer.propose(Command.of(Kind.WRITE, "r", 0, 0).with(new byte[VALUE_BYTES], null));
      }
    });
    proposed.clear();
  }

  private void run(TaskAction<?> code) {
    scheduler.spawn("test", code);
    scheduler.start();
  }

  private List<Long> idsAfter(Duration time) {
    proposed.clear();
    run(() -> this.time.sleep(time));
    return proposed.stream().map(Command::id).toList();
  }

  /// Else a leader that stands still for a while has a multiple of all that was proposed when it
  /// goes on.
  @Test
  void repeat_ofManyCommands_isOfTheOldest_andNoMoreThanTheLimit() {
    List<Long> once = idsAfter(Duration.ofMillis(600));
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), once);
    List<Long> inEightSeconds = idsAfter(Duration.ofSeconds(8));
    assertEquals(16 * once.size(), inEightSeconds.size());
    run(() -> once.forEach(each -> proposer.answered(proposer.session(), each, Result.DONE)));
    assertEquals(8L, idsAfter(Duration.ofMillis(600)).getFirst());
    proposer.end();
  }

  @Test
  void repeatAll_isOfAll() {
    run(proposer::repeatAll);
    assertEquals(COMMANDS, proposed.size());
    assertTrue(proposed.stream().allMatch(each -> each.kind() == Kind.WRITE));
    proposer.end();
  }
}
