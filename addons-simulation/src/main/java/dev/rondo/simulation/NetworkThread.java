package dev.rondo.simulation;

import org.jspecify.annotations.Nullable;

/// The thread of a network: the first one that uses it.
final class NetworkThread {

  private @Nullable Thread owner;

  /// @throws WrongThreadException on another thread
  void check() {
    Thread current = Thread.currentThread();
    Thread known = owner;
    if (known == null) {
      owner = current;
    } else if (known != current) {
      throw new WrongThreadException(
          "called on thread '%s', but the simulated network belongs to thread '%s'"
              .formatted(current.getName(), known.getName()));
    }
  }
}
