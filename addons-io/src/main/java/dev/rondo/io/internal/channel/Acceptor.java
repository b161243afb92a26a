package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// Accepts the connections of a listener, as many at a time as its limit and the system allow.
///
/// Confined to the scheduler's thread.
///
/// @param <S> the kind of socket
public final class Acceptor<S> {

  /// Creates a socket of an accepted connection.
  ///
  /// @param <S> the kind of socket
  @FunctionalInterface
  public interface SocketFactory<S> {

    /// {@return the socket} On failure the connection is closed.
    ///
    /// @param connection accepted
    /// @param released to be run once, when the socket is closed
    /// @throws IOException if the peer is gone already
    S create(SocketChannel connection, Runnable released) throws IOException;
  }

  private final Reactor reactor;
  private final Scheduler scheduler;
  private final ServerSocketChannel channel;
  private final ChannelRegistration registration;
  private final SocketFactory<S> factory;
  private final Runnable released = this::released;
  private final Runnable retry = this::retry;

  /// How many connections may be open at once.
  private int limit = Integer.MAX_VALUE;

  private int connections;

  /// Whether the system refused the last accept, which is retried later.
  private boolean starving;

  /// Whether the refusal was reported, and nothing was accepted since.
  private boolean reported;

  /// Accepts nothing yet.
  ///
  /// @param reactor of the scheduler whose tasks accept
  /// @param channel bound and in non-blocking mode
  /// @param name the listener's name in messages
  /// @param factory creates the sockets
  /// @throws IOException if the selector has failed
  public Acceptor(
      Reactor reactor, ServerSocketChannel channel, String name, SocketFactory<S> factory)
      throws IOException {
    this.reactor = reactor;
    this.scheduler = reactor.scheduler();
    this.channel = channel;
    this.registration = reactor.register(channel, name);
    this.factory = factory;
  }

  /// Watches the listener, see [ChannelRegistration#watch].
  ///
  /// @param listener this
  /// @param more closes the listener's other resources; must not refer to the listener
  /// @return the guard that closes the listener
  public LeakWatch.Guard watch(Object listener, LeakWatch.Closing more) {
    ChannelRegistration own = registration;
    return own.watch(
        listener,
        () -> {
          try {
            own.close();
            own.reactor.releaseClosed();
          } finally {
            more.close();
          }
        });
  }

  /// Accepts a connection. A *possible* suspension point.
  ///
  /// @return its socket
  /// @throws IOException if the listener is closed, or the selector has failed
  public S accept() throws IOException {
    var accept = new AcceptWait();
    var _ = scheduler.host().awaitEvent(accept);
    accept.throwIfFailed();
    return accept.taken();
  }

  /// {@return a wait that accepts a connection}
  public Waitable<S> accepting() {
    return Waitable.guard(() -> {
      var accept = new AcceptWait();
      return accept.map(ignored -> accept.taken());
    });
  }

  private final class AcceptWait extends ChannelWait {

    private @Nullable S accepted;

    AcceptWait() {
      super(Acceptor.this.registration, SelectionKey.OP_ACCEPT);
    }

    @Override
    boolean isHeld() {
      return starving || connections >= limit;
    }

    @Override
    boolean attempt() throws IOException {
      while (!isHeld() || !channel.isOpen()) {
        SocketChannel connection;
        try {
          connection = channel.accept();
        } catch (ClosedChannelException e) {
          throw e;
        } catch (IOException e) {
          if (reactor.releaseClosed()) {
            continue; // the release has freed descriptors
          }
          starve(e);
          return false;
        }
        if (connection == null) {
          return false;
        }
        if (create(connection)) {
          return true;
        }
      }
      return false;
    }

    private boolean create(SocketChannel connection) {
      S socket;
      try {
        socket = factory.create(connection, released);
      } catch (IOException e) {
        return false; // the peer is gone already: not a failure of the acceptor
      }
      connections++;
      reported = false;
      accepted = socket;
      return true;
    }

    S taken() {
      S socket = ChannelWait.result(this, accepted);
      if (socket == null) {
        throw new AssertionError("accepted nothing: " + this);
      }
      return socket;
    }

    @Override
    public String toString() {
      return "accept on " + registration;
    }
  }

  // Limits.

  /// Limits how many accepted connections may be open at once.
  ///
  /// @param max at least one
  /// @throws IllegalArgumentException if `max` is less than one; the earlier limit stays
  public void maxConnections(int max) {
    reactor.checkThread();
    if (max < 1) {
      throw new IllegalArgumentException(
          registration + ": maxConnections must be at least 1: maxConnections=" + max);
    }
    limit = max;
    registration.resume(SelectionKey.OP_ACCEPT);
  }

  /// {@return how many accepted connections are open}
  public int connections() {
    return connections;
  }

  private void released() {
    connections--;
    if (channel.isOpen()) {
      registration.resume(SelectionKey.OP_ACCEPT);
    }
  }

  /// The JDK and the system report a lack of descriptors or memory by text only. Linux asks
  /// (accept(2), "Error handling") to treat all other errors of `accept` like `EAGAIN`, too.
  private void starve(IOException e) {
    starving = true;
    if (!reported) {
      reported = true;
      scheduler
          .host()
          .report(
              "accept on %s, retried every %d ms"
                  .formatted(registration, Retries.DELAY_NANOS / 1_000_000),
              e);
    }
    reactor.retryLater(retry);
  }

  private void retry() {
    starving = false;
    if (channel.isOpen()) {
      registration.resume(SelectionKey.OP_ACCEPT);
    }
  }
}
