package dev.rondo.http.client;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections to one origin, and the requests that wait for a connection, first come, first
/// served.
///
/// A wait results in a connection, or in null. After null the task opens a connection, and reports
/// by [#opened] or [#failedToOpen]. One connection is opened at a time, unless the server is known
/// not to speak HTTP/2.
///
/// Confined to the scheduler's thread.
final class OriginPool implements Waitable<@Nullable ClientConnection> {

  private final ClientPool pool;
  private final Origin origin;

  /// The open connections.
  private final Set<ClientConnection> connections = new LinkedHashSet<>();

  /// The connections that may take another request; the last used connection comes last.
  private final LinkedHashSet<ClientConnection> ready = new LinkedHashSet<>();

  private final WaitQueue<@Nullable ClientConnection> waiting = new WaitQueue<>();
  private int opening;

  /// The number of requests that are about to wait, wait, or open a connection. A task may give way
  /// before it waits.
  int asking;

  /// Whether the server takes several requests at once; null while that is not known.
  private @Nullable Boolean multiplexed;

  /// @param multiplexed null if it is not known
  OriginPool(ClientPool pool, Origin origin, @Nullable Boolean multiplexed) {
    this.pool = pool;
    this.origin = origin;
    this.multiplexed = multiplexed;
  }

  Origin origin() {
    return origin;
  }

  int waiterCount() {
    return waiting.size();
  }

  /// Whether no connection is left, and no request that needs one.
  boolean isEmpty() {
    return connections.isEmpty() && asking == 0;
  }

  // Waiting.

  @Override
  public boolean poll(Waiter<? super @Nullable ClientConnection> waiter) {
    if (pool.isClosed()) {
      return waiter.fail(closed());
    }
    return waiting.isEmpty() && offer(waiter);
  }

  @Override
  public void arm(Waiter<? super @Nullable ClientConnection> waiter) {
    Attachment.set(waiter, pool.nextTicket());
    waiting.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super @Nullable ClientConnection> waiter) {
    boolean _ = waiting.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return pool.scheduler();
  }

  /// {@return the ticket of the request that has waited longest; a large number if no request
  /// waits}
  long firstTicket() {
    Waiter<?> first = waiting.peek();
    return first != null && Attachment.of(first) instanceof Long ticket ? ticket : Long.MAX_VALUE;
  }

  /// Whether a waiting request could go on now.
  boolean canServe() {
    return free() != null || mayOpen();
  }

  /// Lets the request that has waited longest go on.
  void serveFirst() {
    Waiter<? super @Nullable ClientConnection> first = waiting.poll();
    if (first != null) {
      boolean _ = offer(first);
    }
  }

  @SuppressWarnings("NullAway") // null has a meaning
  private boolean offer(Waiter<? super @Nullable ClientConnection> waiter) {
    ClientConnection free = free();
    if (free != null) {
      if (!waiter.fire(free)) {
        return false;
      }
      take(free);
      return true;
    }
    if (mayOpen() && waiter.fire(null)) {
      pool.takePlace();
      opening++;
      return true;
    }
    return false;
  }

  private void take(ClientConnection free) {
    free.taken();
    pool.notIdle(free);
    if (!free.isFree()) {
      boolean _ = ready.remove(free);
    }
  }

  private @Nullable ClientConnection free() {
    while (!ready.isEmpty()) {
      ClientConnection last = ready.getLast();
      if (last.isFree()) {
        return last;
      }
      var _ = ready.removeLast();
    }
    return null;
  }

  private boolean mayOpen() {
    boolean oneAtATime = multiplexed == null || multiplexed;
    return (!oneAtATime || opening == 0)
        && connections.size() + opening < pool.limits().connectionsPerOrigin()
        && pool.canMakeRoom();
  }

  // Connections.

  /// A task has opened a connection, and uses it.
  void opened(ClientConnection made) {
    opening--;
    multiplexed = made.isMultiplexed();
    made.taken();
    if (made.isGone()) {
      pool.givePlace();
    } else {
      boolean _ = connections.add(made);
      changed(made);
    }
    pool.serve(); // it is known now which connections can be opened
  }

  /// A task has not opened the connection that it was to open.
  void failedToOpen() {
    opening--;
    pool.givePlace();
    pool.serve();
  }

  /// A connection takes more or fewer requests than before.
  void changed(ClientConnection connection) {
    if (!connections.contains(connection)) {
      if (connection.isIdle()) {
        pool.forget(connection);
      }
      return;
    }
    if (connection.isLeaving() && connection.isIdle()) {
      connection.close();
      return;
    }
    if (!connection.isFree()) {
      return;
    }
    boolean idle = connection.isIdle() && pool.nowIdle(connection);
    if (ready.add(connection) || idle) {
      pool.serve();
    }
    if (idle && connection.isIdle() && connections.contains(connection)) {
      connection.idle();
    }
  }

  /// A connection is closed.
  void left(ClientConnection connection) {
    if (!connection.isIdle()) {
      pool.keep(connection);
    }
    if (forget(connection)) {
      pool.serve();
      pool.tidy(this);
    }
  }

  /// Closes a connection in favour of another one.
  void evict(ClientConnection idle) {
    boolean _ = forget(idle);
    idle.close();
    pool.tidy(this);
  }

  private boolean forget(ClientConnection connection) {
    pool.notIdle(connection);
    boolean _ = ready.remove(connection);
    boolean known = connections.remove(connection);
    if (known) {
      pool.givePlace();
    }
    return known;
  }

  /// Closes the idle connections, because one of them was found closed.
  void closeIdle() {
    for (ClientConnection each : List.copyOf(connections)) {
      if (each.isIdle() && !each.isMultiplexed()) {
        each.close();
      }
    }
  }

  /// The client ends.
  void close() {
    int _ = waiting.failAll(closed());
    List.copyOf(connections).forEach(ClientConnection::close);
  }

  ChannelClosedException closed() {
    return new ChannelClosedException("request to %s: the client is closed".formatted(origin));
  }

  @Override
  public String toString() {
    return "a connection to " + origin;
  }
}
