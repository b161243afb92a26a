package dev.rondo.netty;

/// Decides in which passes of a busy loop Netty polls. A poll is a system call, in which epoll
/// looks again at every socket that was ready in the last poll.
///
/// While the queue of ready tasks becomes shorter, polls are put off. The queue is about to be
/// empty, and the loop polls at once when it is. An earlier poll would find few ready sockets,
/// because the tasks have not yet answered the peers.
///
/// Confined to the scheduler's thread.
final class PollPace {

  /// The shortest time between two polls.
  private static final long INTERVAL_NANOS = 100_000;

  /// The longest time that a poll is put off while the queue becomes shorter.
  private static final long LONGEST_NANOS = 1_000_000;

  private long polledNanos;

  /// The number of tasks that were ready at the last look; 0 if there was no look since the last
  /// poll.
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
