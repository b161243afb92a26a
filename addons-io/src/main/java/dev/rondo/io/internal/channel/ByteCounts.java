package dev.rondo.io.internal.channel;

/// The numbers of bytes that went through a scheduler's byte streams, closed streams included.
public final class ByteCounts {

  long received;
  long sent;

  ByteCounts() {}

  /// {@return how many the system has given}
  public long received() {
    return received;
  }

  /// {@return how many the system has taken}
  public long sent() {
    return sent;
  }
}
