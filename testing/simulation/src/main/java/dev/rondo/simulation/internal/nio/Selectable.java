package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.OpenFiles;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/// A channel of a simulated host: what a selector needs of it, and what all kinds share, which have
/// no class in common but one of the JDK's.
interface Selectable extends OpenFiles.Held {

  Endpoint endpoint();

  /// {@return the operations of an interest that are ready}
  ///
  /// @param bits what [Endpoint#poll()] reports
  /// @param interest bits of [java.nio.channels.SelectionKey]
  int ready(int bits, int interest);

  /// {@return the operations that are ready if the system reports an error or a hang-up: all, so
  /// that the next operation shows it}
  static boolean concernsAll(int bits) {
    return (bits & (Endpoint.ERROR | Endpoint.HANG_UP)) != 0;
  }

  default void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  // Blocking mode.

  /// An operation begins to wait: `begin()` of the channel.
  void waitBegins();

  /// It does not wait any more: `end(..)` of the channel.
  ///
  /// @throws AsynchronousCloseException if the channel was closed meanwhile
  void waitEnds() throws AsynchronousCloseException;

  /// Lets time pass until a condition holds.
  ///
  /// @param holds the condition; the wait ends when the channel is closed, too
  /// @param nanos how long at most; [Timeline#NEVER] for any time
  /// @param what the operation, as the JDK's messages begin with it
  /// @throws SocketTimeoutException if the time is over
  default void await(Host host, BooleanSupplier holds, long nanos, String what) throws IOException {
    BooleanSupplier condition = () -> holds.getAsBoolean() || !isOpen();
    boolean done = false;
    try {
      waitBegins();
      requireOpen();
      if (nanos == Timeline.NEVER) {
        host.network().await(condition, () -> what.toLowerCase(Locale.ROOT) + ": " + this);
        done = true;
      } else {
        done = host.network().runUntil(condition, nanos);
      }
    } finally {
      waitEnds();
    }
    if (!done) {
      throw new SocketTimeoutException(what + " timed out");
    }
  }
}
