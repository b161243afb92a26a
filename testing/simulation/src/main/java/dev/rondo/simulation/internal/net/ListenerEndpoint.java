package dev.rondo.simulation.internal.net;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A listening socket: connections wait here to be accepted.
///
/// @param <C> the kind of connection
public abstract class ListenerEndpoint<C extends StreamEndpoint> extends Endpoint {

  /// `somaxconn` of Linux.
  private static final int MAX_BACKLOG = 4096;

  private final BufferSizes sizes;
  private final Deque<C> accepted = new ArrayDeque<>();
  private int backlog;

  ListenerEndpoint(BufferSizes sizes) {
    this.sizes = sizes;
  }

  /// {@return the sizes that accepted connections inherit}
  public final BufferSizes sizes() {
    return sizes;
  }

  /// Limits how many connections may wait: so many, and one more.
  final void backlog(int length) {
    backlog = Math.min(length, MAX_BACKLOG);
  }

  /// {@return whether one more connection may wait}
  final boolean hasRoom() {
    return queued() <= backlog;
  }

  /// {@return how many connections wait}
  int queued() {
    return accepted.size();
  }

  abstract boolean isListening();

  /// A connection waits to be accepted from now on.
  final void add(C connection) {
    accepted.add(connection);
    changed();
  }

  /// {@return the connection that has waited longest; null if there is none}
  public final @Nullable C first() {
    return accepted.peek();
  }

  /// Removes that one: the program has it.
  public final void removeFirst() {
    accepted.remove();
  }

  /// {@return whether a connection waits to be accepted}
  public final boolean hasConnection() {
    return !accepted.isEmpty();
  }

  /// Ends listening; connections that wait are reset.
  public abstract void close();

  final void abortAll() {
    accepted.forEach(StreamEndpoint::abort);
    accepted.clear();
  }

  @Override
  public final int poll() {
    if (!isListening()) {
      return OUT | HANG_UP;
    }
    return accepted.isEmpty() ? 0 : IN;
  }
}
