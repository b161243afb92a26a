package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.BooleanSupplier;

/// A channel being ready for an operation, without the operation.
final class Readiness extends ChannelWait {

  private final BooleanSupplier already;

  /// @param already whether it needs no word of the operating system to know
  Readiness(ChannelRegistration registration, int operation, BooleanSupplier already) {
    super(registration, operation);
    this.already = already;
  }

  /// {@return a channel of any kind being ready}
  static <C extends SelectableChannel> Waitable<C> of(WaitForIO io, C channel, int operation) {
    if (channel.isBlocking()) {
      throw new IllegalStateException(
          channel + " is in blocking mode: call configureBlocking(false) on it first");
    }
    if ((channel.validOps() & operation) == 0) {
      throw new IllegalArgumentException(
          channel + " knows no such operation: operation=" + operation);
    }
    return Waitable.guard(() -> {
      try {
        var wait = new Readiness(registrationOf(io, channel), operation, () -> false);
        return wait.map(ignored -> result(wait, channel));
      } catch (IOException e) {
        throw Failures.<RuntimeException>rethrow(e);
      }
    });
  }

  private static ChannelRegistration registrationOf(WaitForIO io, SelectableChannel channel)
      throws IOException {
    if (!channel.isOpen()) {
      throw new ChannelClosedException(channel + " is closed");
    }
    SelectionKey key = io.poller().keyOf(channel);
    return key == null ? ChannelRegistration.ofExposed(io, channel) : Poller.registration(key);
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
