package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.BooleanSupplier;

/// A wait until a channel is ready for an operation, without the operation.
final class Readiness extends ChannelWait {

  private final BooleanSupplier already;

  /// @param already whether it is ready when the wait begins
  Readiness(ChannelRegistration registration, int operation, BooleanSupplier already) {
    super(registration, operation);
    this.already = already;
  }

  /// {@return a wait until a program's own channel is ready}
  static <C extends SelectableChannel> Waitable<C> of(Reactor reactor, C channel, int operation) {
    if (channel.isBlocking()) {
      throw new IllegalStateException(
          channel + " is in blocking mode: call configureBlocking(false) on it first");
    }
    if ((channel.validOps() & operation) == 0) {
      throw new IllegalArgumentException(
          channel + " has no such operation: operation=" + operation);
    }
    return Waitable.guard(() -> {
      try {
        ChannelRegistration registration = registrationOf(reactor, channel);
        var wait = new Readiness(registration, operation, () -> registration.isReady(operation));
        return wait.map(ignored -> result(wait, channel));
      } catch (IOException e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
    });
  }

  private static ChannelRegistration registrationOf(Reactor reactor, SelectableChannel channel)
      throws IOException {
    try {
      return reactor.exposed(channel);
    } catch (ClosedChannelException e) {
      throw reactor.failures().closed(channel + ": this side has closed it");
    }
  }

  @Override
  boolean attempt() throws ClosedChannelException {
    if (!registration.channel.isOpen()) {
      throw new ClosedChannelException();
    }
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
