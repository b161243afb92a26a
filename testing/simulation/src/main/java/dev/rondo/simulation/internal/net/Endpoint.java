package dev.rondo.simulation.internal.net;

import java.util.ArrayList;
import java.util.List;

/// Something that a descriptor stands for and that selectors watch. Which of the bits are set is
/// what `poll(2)` of Linux reports.
public abstract class Endpoint {

  /// There is something to read or accept, or the stream is at its end.
  public static final int IN = 1;

  /// There is room to write.
  public static final int OUT = 4;

  /// An error waits to be reported.
  public static final int ERROR = 8;

  /// Both directions have ended.
  public static final int HANG_UP = 16;

  private final List<Runnable> watchers = new ArrayList<>(1);

  /// For the endpoints of this package.
  Endpoint() {}

  /// {@return the bits that are set now}
  public abstract int poll();

  /// Begins to tell a watcher when bits may have been set.
  ///
  /// @param watcher quick; changes no endpoint
  public final void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  /// Ends that.
  ///
  /// @param watcher given to [#watch(Runnable)] before
  public final void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  /// Bits may have been set.
  final void changed() {
    for (Runnable watcher : watchers) {
      watcher.run();
    }
  }
}
