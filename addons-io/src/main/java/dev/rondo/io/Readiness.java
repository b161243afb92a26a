package dev.rondo.io;

import java.nio.channels.SelectionKey;
import java.util.function.BooleanSupplier;

/// A channel being ready for an operation, without the operation.
final class Readiness extends ChannelWait {

  private final BooleanSupplier already;

  /// @param already whether it needs no word of the operating system to know
  Readiness(Registration registration, int operation, BooleanSupplier already) {
    super(registration, operation);
    this.already = already;
  }

  @Override
  boolean attempt() {
    return already.getAsBoolean();
  }

  @Override
  boolean attemptWhenReady() {
    return true;
  }

  @Override
  public String toString() {
    String what =
        switch (operation) {
          case SelectionKey.OP_READ -> "to read from ";
          case SelectionKey.OP_WRITE -> "to write to ";
          case SelectionKey.OP_ACCEPT -> "to accept on ";
          case SelectionKey.OP_CONNECT -> "to connect ";
          default -> throw new AssertionError("operation " + operation);
        };
    return "ready " + what + registration;
  }
}
