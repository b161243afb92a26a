package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Sends the requests of the present role to one peer, one request at a time.
final class PeerLink {

  private final Raft raft;
  private final int peer;
  private final RandomGenerator random;
  private final Scheduler scheduler;
  private final Caller caller;

  PeerLink(Raft raft, int peer, RandomGenerator random) {
    this.raft = raft;
    this.peer = peer;
    this.random = random;
    this.scheduler = raft.scheduler();
    this.caller = new Caller(scheduler);
  }

  /// Runs until its task is cancelled.
  void run() throws IOException {
    try (caller) {
      while (true) {
        Role role = raft.role();
        PeerRequest request = role.requestFor(peer);
        if (request == null) {
          awaitNews();
        } else {
          ask(role, request);
        }
      }
    }
  }

  private void awaitNews() {
    var time = WaitForTime.on(scheduler);
    var _ = scheduler.select(raft.news(), time.after(raft.settings().heartbeat()));
  }

  private void ask(Role role, PeerRequest request) throws IOException {
    try {
      Message answer =
          caller.call(raft.members().address(peer), request, raft.settings().request());
      if (answer instanceof PeerReply reply) {
        raft.received(role, peer, request, reply);
        return;
      }
    } catch (IOException | TimedOutException _) {
      // perhaps it answers later
    }
    caller.close();
    pause();
  }

  private void pause() {
    long longest = raft.settings().heartbeat().toNanos();
    WaitForTime.on(scheduler).sleep(Duration.ofNanos(longest - random.nextLong(longest)));
  }
}
