package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.rondo.examples.replicatedlog.Command.Nothing;
import dev.rondo.examples.replicatedlog.Message.AppendReply;
import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.examples.replicatedlog.Message.VoteReply;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Situations that the worlds rarely come to, message by message.
final class RaftTest {

  private static final Settings ONE_BY_ONE =
      new Settings(
          Duration.ofMillis(50),
          Duration.ofMillis(250),
          Duration.ofMillis(200),
          Duration.ofMinutes(1),
          1,
          100);

  private static Members members() {
    var anywhere = new InetSocketAddress(0);
    return new Members(Map.of(1, anywhere, 2, anywhere, 3, anywhere));
  }

  /// Has a peer asked, and answers for it.
  private static void exchange(Raft raft, int peer, PeerReply reply) {
    Role role = raft.role();
    PeerRequest request = role.requestFor(peer);
    assertNotNull(request);
    raft.received(role, peer, request, reply);
  }

  /// Figure 8 of the paper: a majority has an entry of an earlier term, which the third replica may
  /// still replace.
  @ParameterizedTest
  @CsvSource({"NONE, 0", "OLD_TERM_COMMITTED, 2"})
  void entryOfAnEarlierTerm_isNotCommittedByCounting(Flaw flaw, long committed) throws IOException {
    var clock = new VirtualClock();
    var disk = new SimulatedDisk(new SplittableRandom(1));
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder());
        Storage storage = flaw.storage(disk.path("/1"))) {
      storage.vote(2, 1);
      storage.append(
          List.of(
              new Entry(new Position(1, 1), new Nothing()),
              new Entry(new Position(2, 2), new Nothing())));
      storage.force();
      Raft raft =
          flaw.raft(
              new Raft.Parts(
                  scheduler, 1, members(), ONE_BY_ONE, storage, flaw.store(entry -> {})));
      raft.stand();
      exchange(raft, 2, new VoteReply(3, true));
      var leadership = assertInstanceOf(Leadership.class, raft.role());

      exchange(raft, 3, new AppendReply(3, false, 0));
      exchange(raft, 3, new AppendReply(3, true, 1));
      exchange(raft, 3, new AppendReply(3, true, 2));
      assertEquals(committed, raft.commit());

      leadership.flush();
      exchange(raft, 3, new AppendReply(3, true, 3)); // the first entry of its own term
      assertEquals(3, raft.commit());
    }
  }
}
