package dev.rondo.cluster.members;

/// A message was not delivered, or it is not known whether it was.
public final class DeliveryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Why.
  public enum Reason {
    /// There is no member of that name; nothing was sent.
    NO_MEMBER,
    /// The member has left, or this one has. It may have received the message.
    MEMBER_LEFT,
    /// The member has no mailbox of that name, or has closed it before a task took the message.
    NO_MAILBOX,
    /// The message is larger than the member allows.
    TOO_LARGE,
    /// The member's codec does not understand the bytes, or they are of Java serialization.
    BAD_BYTES,
    /// The member has more messages from this one than it has agreed to.
    OVERRUN
  }

  /// Why.
  private final Reason reason;

  /// Makes one.
  ///
  /// @param reason why
  /// @param message what was not delivered
  public DeliveryException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// {@return why}
  public Reason reason() {
    return reason;
  }
}
