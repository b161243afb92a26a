package dev.rondo.condition.channel;

/// What becomes of an element that is sent while a buffer is full: how a slow receiver is dealt
/// with.
public enum Overflow {
  /// The sender waits until there is room. Nothing is ever lost.
  SUSPEND,
  /// The oldest element in the buffer is dropped to make room. Senders never wait.
  DROP_OLDEST,
  /// The element that is being sent is dropped. Senders never wait.
  DROP_LATEST
}
