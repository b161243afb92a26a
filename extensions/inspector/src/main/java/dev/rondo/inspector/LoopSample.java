package dev.rondo.inspector;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.time.internal.ArmedTimers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Figures of the add-ons of a loop, at one moment.
///
/// @param takenNanos when, by [System#nanoTime()]
/// @param timers the number of armed timers
/// @param nextTimer the time until the next deadline, zero if it has passed; null without timers
/// @param bytesReceived the bytes that sockets and pipes have received; null without an add-on for
///   IO
/// @param bytesSent the bytes that they have sent; null without an add-on for IO
record LoopSample(
    long takenNanos,
    int timers,
    @Nullable Duration nextTimer,
    @Nullable Long bytesReceived,
    @Nullable Long bytesSent) {

  /// On the scheduler's thread. Takes the same time however many tasks, timers and sockets there
  /// are.
  static LoopSample of(Scheduler scheduler) {
    ArmedTimers time = ArmedTimers.of(scheduler);
    ChannelFigures io = ChannelFigures.of(scheduler);
    return new LoopSample(
        System.nanoTime(),
        time == null ? 0 : time.count(),
        time == null ? null : time.untilNext(),
        io == null ? null : io.bytesReceived(),
        io == null ? null : io.bytesSent());
  }

  /// @param askedNanos when the loop was asked for this
  void write(Json json, long askedNanos) {
    json.member("lag", Duration.ofNanos(takenNanos - askedNanos));
    json.member("timers", timers).member("nextTimer", nextTimer);
    if (bytesReceived != null && bytesSent != null) {
      json.member("bytesReceived", bytesReceived).member("bytesSent", bytesSent);
    }
  }

  @Override
  public String toString() {
    String next = nextTimer == null ? "never" : ReportText.duration(nextTimer);
    return "%d timers, the next in %s".formatted(timers, next);
  }
}
