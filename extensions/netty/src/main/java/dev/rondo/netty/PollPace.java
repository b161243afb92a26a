package dev.rondo.netty;

/// Decides in which passes of a busy loop Netty polls. A poll is a system call, and epoll looks in
/// it at every socket again that was ready in the one before.
///
/// While the queue of ready tasks becomes shorter, it is about to be empty, and an empty queue
/// polls at once: until then a poll would find few of the sockets ready that the tasks are
/// answering.
///
/// Confined to the scheduler's thread.
final class PollPace {

  /// How often Netty polls at most.
  private static final long INTERVAL_NANOS = 100_000;

  /// How late a poll may be because the queue becomes shorter.
  private static final long LONGEST_NANOS = 1_000_000;

  private long polledNanos;

  /// How many tasks were ready at the last look; 0 if there was none since the last poll.
  private int ready;

  /// Netty has polled.
  void polled(long nowNanos) {
    polledNanos = nowNanos;
    ready = 0;
  }

  /// {@return whether Netty polls in a pass}
  ///
  /// @param readyNow how many tasks are ready
  boolean isDue(long nowNanos, int readyNow) {
    boolean shortens = readyNow > 0 && readyNow < ready;
    ready = readyNow;
    return nowNanos - polledNanos >= (shortens ? LONGEST_NANOS : INTERVAL_NANOS);
  }
}
