package dev.rondo.computicle;

import dev.rondo.scheduler.SchedulerBuilder;
import java.lang.reflect.Array;

/// Finds messages that a sender has changed after the send.
///
/// It compares the `hashCode` of a message at the send and at the receive; for an array the hash
/// codes of the elements. So it finds changes of arrays, collections, and records of these. It
/// finds neither changes of an object whose class has no `hashCode` of its own, nor changes after
/// the receive, nor a sender that only reads.
final class SharingCheck {

  /// A message under way.
  private record Checked(Object message, int hash, Throwable sentHere) {}

  private final Endpoint<?> endpoint;

  SharingCheck(Endpoint<?> endpoint) {
    this.endpoint = endpoint;
  }

  static boolean isOnByDefault() {
    return Boolean.getBoolean(SchedulerBuilder.DEBUG_PROPERTY);
  }

  Object outgoing(Object message) {
    return new Checked(message, contentHash(message), new Throwable("sent here"));
  }

  Object incoming(Object received) {
    var checked = (Checked) received;
    Object message = checked.message;
    if (contentHash(message) != checked.hash) {
      throw new IllegalStateException(
          "a %s was changed after it was sent to %s: hand over what is sent, or send a copy; the cause shows where it was sent"
              .formatted(message.getClass().getName(), endpoint),
          checked.sentHere);
    }
    return message;
  }

  private static int contentHash(Object message) {
    if (!message.getClass().isArray()) {
      return message.hashCode();
    }
    int hash = 1;
    for (int i = 0; i < Array.getLength(message); i++) {
      Object element = Array.get(message, i);
      hash = 31 * hash + (element == null ? 0 : contentHash(element));
    }
    return hash;
  }
}
