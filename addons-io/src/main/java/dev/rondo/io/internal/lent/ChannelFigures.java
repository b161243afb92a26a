package dev.rondo.io.internal.lent;

import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Scheduler;
import org.jspecify.annotations.Nullable;

/// Counts of the channels of a scheduler, at one moment.
///
/// @param open how many sockets, listeners, pipes and channels of programs the add-on watches
/// @param waits how many waits for channels there are
/// @param bytesReceived how many bytes TCP and Unix sockets and pipes have received so far, closed
///   ones included
/// @param bytesSent how many of their bytes the system has taken so far
public record ChannelFigures(int open, int waits, long bytesReceived, long bytesSent) {

  /// {@return the counts; null if the scheduler has no add-on for IO} On its thread. Never a
  /// suspension point.
  ///
  /// @param scheduler any
  public static @Nullable ChannelFigures of(Scheduler scheduler) {
    Reactor reactor = LoopAccess.of(scheduler);
    if (reactor == null) {
      return null;
    }
    reactor.checkThread();
    return new ChannelFigures(
        reactor.registeredCount(),
        reactor.waitCount(),
        reactor.byteCounts().received(),
        reactor.byteCounts().sent());
  }
}
