package dev.rondo.examples.replicatedlog;

import dev.rondo.condition.sync.Promise;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.NotLeader;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.examples.replicatedlog.Message.Propose;
import dev.rondo.examples.replicatedlog.Message.Read;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.Deadline;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// A replica of the store. It has a task for each peer and each connection, a task that notices a
/// lost contact, a task that writes to the disk, and a task that accepts.
///
/// Confined to the scheduler's thread.
public final class Replica {

  private final Scheduler scheduler;
  private final Raft raft;
  private final RandomGenerator random;

  /// Fails when a connection's task does.
  private final Promise<Void> broken;

  Replica(Raft raft, RandomGenerator random) {
    this.scheduler = raft.scheduler();
    this.raft = raft;
    this.random = random;
    this.broken = new Promise<>(scheduler, "the end of replica " + raft.self());
  }

  /// Runs a replica until its task is cancelled, or until it fails, for instance with its disk. It
  /// can be run again afterwards, and goes on with the data on its disk. *Always* a suspension
  /// point.
  ///
  /// @param scheduler whose task calls this
  /// @param self the number of the replica
  /// @param members all replicas
  /// @param settings the same for all replicas
  /// @param folder for the files of this replica alone; it is made if it does not exist, and its
  ///   parent must exist
  /// @param listener on its address; it is closed in the end
  /// @param random chooses the waiting times, which differ from those of other replicas
  /// @throws IOException if its files cannot be read, or are damaged
  public static void run(
      Scheduler scheduler,
      int self,
      Members members,
      Settings settings,
      Path folder,
      TcpListener listener,
      RandomGenerator random)
      throws IOException {
    try (listener;
        var storage = new Storage(folder)) {
      var raft = new Raft(new Raft.Parts(scheduler, self, members, settings, storage, new Store()));
      new Replica(raft, random).run(listener);
    }
  }

  void run(TcpListener listener) {
    var tasks = scheduler.<Void>newGroup("replica " + raft.self());
    tasks.run(() -> {
      for (int peer : raft.members().peersOf(raft.self())) {
        tasks.spawn("link to " + peer, () -> new PeerLink(raft, peer, random).run());
      }
      tasks.spawn("contact", this::watchContact);
      tasks.spawn("flush", this::flush);
      tasks.spawn("accept", () -> accept(listener));
      broken.claim();
    });
  }

  private void watchContact() {
    var time = WaitForTime.on(scheduler);
    Duration patience = randomPatience();
    while (true) {
      Deadline end = raft.patientUntil(patience);
      if (end.minus(time.now()).isPositive()) {
        time.yieldUntilTime(end);
      } else {
        raft.lostContact();
        patience = randomPatience();
      }
    }
  }

  private Duration randomPatience() {
    long least = raft.settings().election().toNanos();
    return Duration.ofNanos(least + random.nextLong(least));
  }

  /// Commands that were proposed in the same round are written together.
  private void flush() {
    while (true) {
      if (raft.role() instanceof Leadership leadership && leadership.isDirty()) {
        leadership.flush();
      }
      var _ = scheduler.await(raft.news());
    }
  }

  // Connections.

  private void accept(TcpListener listener) throws IOException {
    var connections = scheduler.<Void>newGroup("connections", TaskGroup.Policy.SUPERVISE);
    connections.run(() -> {
      while (true) {
        TcpSocket socket = listener.accept();
        connections.spawn("serve " + socket.remoteAddress(), () -> serve(socket));
      }
    });
  }

  private void serve(TcpSocket socket) {
    try (socket) {
      socket.readTimeout(raft.settings().idle()).writeTimeout(raft.settings().idle());
      Message request;
      while ((request = Frames.read(socket)) != null) {
        Frames.write(socket, answer(request));
      }
    } catch (IOException | TimedOutException _) {
      // the other side has to come again
    } catch (RuntimeException e) {
      broken.fail(e);
    }
  }

  private Message answer(Message request) throws IOException {
    return switch (request) {
      case PeerRequest peer -> raft.answer(peer);
      case Propose(Command command) when raft.role() instanceof Leadership leadership ->
          decided(leadership.propose(command));
      case Read(String key) when raft.role() instanceof Leadership leadership ->
          decided(leadership.read(key));
      case Propose _, Read _ -> new NotLeader(raft.leader());
      case Message.PeerReply _, Answer _ -> throw new IOException("not a request: " + request);
    };
  }

  private Answer decided(Promise<Answer> promise) {
    return promise.claim() instanceof NotLeader ? new NotLeader(raft.leader()) : promise.claim();
  }
}
