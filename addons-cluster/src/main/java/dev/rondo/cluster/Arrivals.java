package dev.rondo.cluster;

import dev.rondo.scheduler.Scheduler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/// Messages that have come and were not passed on. Added by any thread.
final class Arrivals {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Arrived(Member from, byte[] frame) {}

  private final Scheduler scheduler;
  private final BiConsumer<Member, byte[]> receiver;
  private final Queue<Arrived> arrived = new ConcurrentLinkedQueue<>();
  private boolean passing;

  /// Makes an empty one.
  ///
  /// @param receiver called on the scheduler's thread
  Arrivals(Scheduler scheduler, BiConsumer<Member, byte[]> receiver) {
    this.scheduler = scheduler;
    this.receiver = receiver;
  }

  /// Any thread.
  void add(Member from, byte[] frame) {
    arrived.add(new Arrived(from, frame));
    var _ = scheduler.post(this::passOn);
  }

  /// Passes on what has arrived, in order: on BOUND a codec that blocks lets the loop go on, and
  /// then the next call finds this one unfinished.
  private void passOn() {
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
