package dev.rondo.application.inspector;

import dev.rondo.io.OpenChannel;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import java.util.List;

/// A page of the sockets, listeners and pipes of a loop, at one moment.
///
/// @param waits how many waits for all of them there are
/// @param open how many are open
/// @param next where the next page begins; NO_MORE if there is none
/// @param some of those that are open
record SocketSample(int waits, int open, int next, List<OpenChannel> some) {

  static final int NO_MORE = -1;

  /// On the scheduler's thread.
  ///
  /// @param from where the page begins
  /// @param most how many there may be on it
  static SocketSample of(Scheduler scheduler, int from, int most) {
    WaitForIO io = scheduler.host().addOn(WaitForIO.class);
    if (io == null) {
      return new SocketSample(0, 0, NO_MORE, List.of());
    }
    List<OpenChannel> page = io.openChannels(from, most);
    int end = from + page.size();
    boolean more = page.size() == most && end < io.openCount();
    return new SocketSample(io.waiterCount(), io.openCount(), more ? end : NO_MORE, page);
  }
}
