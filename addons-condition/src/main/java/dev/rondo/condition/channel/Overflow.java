package dev.rondo.condition.channel;

/// Determines what happens to an element that is sent while the buffer is full.
public enum Overflow {
  /// The sender waits until there is room. No element is lost.
  SUSPEND,
  /// The oldest element in the buffer is dropped to make room. Senders never wait.
  DROP_OLDEST,
  /// The new element is dropped. Senders never wait.
  DROP_LATEST
}
