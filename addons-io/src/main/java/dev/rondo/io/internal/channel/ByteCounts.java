package dev.rondo.io.internal.channel;

/// How many bytes went through the byte streams of a scheduler, those that are closed included.
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
