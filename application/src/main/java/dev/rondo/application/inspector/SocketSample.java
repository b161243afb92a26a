package dev.rondo.application.inspector;

import dev.rondo.io.OpenChannel;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import java.util.List;

/// The sockets, listeners and pipes of a loop, at one moment.
///
/// @param waits how many waits for them there are
/// @param isAll whether there are no others than these
/// @param some of those that are open
record SocketSample(int waits, boolean isAll, List<OpenChannel> some) {

  private static final int MOST_SHOWN = 200;

  /// On the scheduler's thread.
  static SocketSample of(Scheduler scheduler) {
    WaitForIO io = scheduler.host().addOn(WaitForIO.class);
    if (io == null) {
      return new SocketSample(0, true, List.of());
    }
    List<OpenChannel> open = io.openChannels(MOST_SHOWN + 1);
    boolean isAll = open.size() <= MOST_SHOWN;
    return new SocketSample(io.waiterCount(), isAll, isAll ? open : open.subList(0, MOST_SHOWN));
  }
}
