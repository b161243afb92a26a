package dev.rondo.cluster;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.Scheduler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/// Frames that have come and were not passed on. Added by any thread.
final class Arrivals {

  private record Arrived(Member from, Frame frame) {}

  private final Scheduler scheduler;
  private final BiConsumer<Member, Frame> receiver;
  private final Queue<Arrived> arrived = new ConcurrentLinkedQueue<>();

  /// Whether the loop will look: the first of several frames wakes it.
  private final AtomicBoolean posted = new AtomicBoolean();

  private boolean passing;

  /// Makes an empty one.
  ///
  /// @param receiver called on the scheduler's thread
  Arrivals(Scheduler scheduler, BiConsumer<Member, Frame> receiver) {
    this.scheduler = scheduler;
    this.receiver = receiver;
  }

  /// Any thread.
  void add(Member from, List<Frame> frames) {
    for (Frame each : frames) {
      arrived.add(new Arrived(from, each));
    }
    if (!posted.get() && posted.compareAndSet(false, true)) {
      var _ = scheduler.post(this::passOn);
    }
  }

  /// Passes on what has arrived, in order: on BOUND a codec that blocks lets the loop go on, and
  /// then the next call finds this one unfinished.
  private void passOn() {
    posted.set(false); // before it looks: what comes later posts again
    if (passing) {
      return;
    }
    passing = true;
    try {
      for (Arrived next; (next = arrived.poll()) != null; ) {
        receiver.accept(next.from(), next.frame());
      }
    } finally {
      passing = false;
    }
  }
}
