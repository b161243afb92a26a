package dev.rondo.cluster;

/// The messages of one member for one mailbox, or signal, that no task has taken, as their sender
/// or their receiver counts them: both have the same limit. Confined to the scheduler's thread.
final class Backlog {

  /// How many messages there may be: what all members have agreed to.
  static final int MOST_MESSAGES = 1_024;

  /// How many bytes all messages but the last may have.
  static final int MOST_BYTES = 1 << 20;

  private int messages;
  private long bytes;

  boolean isFull() {
    return messages >= MOST_MESSAGES || bytes >= MOST_BYTES;
  }

  boolean isEmpty() {
    return messages == 0;
  }

  void add(int bytesOfMessage) {
    messages++;
    bytes += bytesOfMessage;
  }

  void remove(int bytesOfMessage) {
    messages--;
    bytes -= bytesOfMessage;
  }

  @Override
  public String toString() {
    return "%d messages, %d bytes".formatted(messages, bytes);
  }
}
