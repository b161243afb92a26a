package dev.rondo.io.internal.channel;

import java.util.ArrayList;
import java.util.List;

/// Channels that a program has awaited itself and may close itself, which no selector reports: they
/// are checked while a task waits on them.
///
/// Confined to the scheduler's thread.
final class ExposedChannels {

  private final List<ChannelRegistration> watched = new ArrayList<>();

  void watch(ChannelRegistration registration) {
    if (!watched.contains(registration)) {
      watched.add(registration);
    }
  }

  /// Fails the waits on channels that were closed.
  ///
  /// @return whether there were any
  boolean failClosed() {
    boolean any = false;
    for (int i = watched.size() - 1; i >= 0; i--) {
      ChannelRegistration each = watched.get(i);
      if (!each.isAwaited()) {
        watched.remove(i);
      } else if (!each.channel.isOpen()) {
        watched.remove(i);
        each.failIfClosed();
        any = true;
      }
    }
    return any;
  }
}
