package dev.rondo.cluster;

/// A task receives from a mailbox that is closed.
public final class MailboxClosedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MailboxClosedException(String name) {
    super("mailbox '" + name + "' is closed");
  }
}
