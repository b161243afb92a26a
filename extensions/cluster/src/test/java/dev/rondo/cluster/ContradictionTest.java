package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// A voter whose log contradicts that of the others, because too many of them have lost what they
/// had written: it leaves, instead of going on with other values than they have.
final class ContradictionTest {

  private static final List<String> NAMES = List.of("a", "b", "c");

  static {
    // What a log that has failed refuses is logged.
    ((Logger) LoggerFactory.getLogger(JGroupsRaft.class)).setLevel(Level.OFF);
  }

  @TempDir Path folder;

  private EngineVoter join(String name, Path parent, List<InetSocketAddress> members)
      throws Exception {
    var voter = new EngineVoter(name);
    voter.join(EngineVoter.config(name, members, NAMES, parent));
    return voter;
  }

  /// Lets two voters agree on a command.
  private static void agree(EngineVoter one, EngineVoter other, String command) throws Exception {
    EngineVoter.leader(one, other).propose(command);
    one.awaitApplied(command);
    other.awaitApplied(command);
  }

  /// Others of the same names that have forgotten all, and are in a later term.
  private Path forgetful() throws Exception {
    Path parent = folder.resolve("later");
    for (String each : List.of("a", "b")) {
      try (var log = new JGroupsLog(parent.resolve(each), failure -> {})) {
        log.open();
        log.currentTerm(9);
      }
    }
    return parent;
  }

  @Test
  @Timeout(3 * EngineVoter.HANG_SECONDS)
  void aVoterThatKnowsOfMore_leaves_andSaysWhichEntry() throws Exception {
    EngineVoter a = join("a", folder, List.of());
    EngineVoter c = join("c", folder, List.of(a.engine.address()));
    agree(a, c, "earlier");
    c.engine.leave();
    a.engine.leave();
    Path later = forgetful();
    a = join("a", later, List.of());
    EngineVoter b = join("b", later, List.of(a.engine.address()));
    agree(a, b, "later");
    c = new EngineVoter("c");
    try {
      c.join(EngineVoter.config("c", List.of(a.engine.address()), NAMES, folder));
    } catch (ClusterException e) {
      // It may find out, and leave, before it has joined.
    }
    String message = c.failed.get(EngineVoter.HANG_SECONDS, TimeUnit.SECONDS).getMessage();
    c.engine.leave();
    b.engine.leave();
    a.engine.leave();
    assertTrue(
        message.contains(" was agreed on in term 1, but the leader has another one"), message);
  }
}
