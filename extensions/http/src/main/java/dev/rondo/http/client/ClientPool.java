package dev.rondo.http.client;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All connections of a client. At the limit, the connection that has been idle longest is closed
/// in favour of another origin. If no connection is idle, requests wait, first come, first served.
///
/// Confined to the scheduler's thread.
final class ClientPool {

  private final Scheduler scheduler;
  private final ClientConnector connector;
  private final ClientSetup setup;
  private final Map<Origin, OriginPool> origins = new LinkedHashMap<>();

  /// The connections without a request; the one that has been idle longest comes first.
  private final Set<ClientConnection> idle = new LinkedHashSet<>();

  /// Closed connections with responses that tasks have not read or closed yet.
  private final Set<ClientConnection> remains = new LinkedHashSet<>();

  /// The number of connections, including connections that are being opened.
  private int places;

  private long tickets;
  private boolean closed;

  ClientPool(Scheduler scheduler, ClientConnector connector, ClientSetup setup) {
    this.scheduler = scheduler;
    this.connector = connector;
    this.setup = setup;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  HttpClientLimits limits() {
    return setup.limits();
  }

  boolean isClosed() {
    return closed;
  }

  /// Finds a connection for a request, or opens one. A *possible* suspension point.
  ///
  /// @return the connection, which the caller gives back by [ClientConnection#ended]
  ClientConnection acquire(Origin origin) throws IOException {
    OriginPool own = origins.computeIfAbsent(origin, this::newPool);
    own.asking++;
    try {
      ClientConnection found = scheduler.host().awaitEvent(own);
      return found != null ? found : open(own);
    } finally {
      own.asking--;
      tidy(own);
    }
  }

  private OriginPool newPool(Origin origin) {
    Boolean multiplexed;
    if (origin.secure()) {
      multiplexed = setup.offersHttp2() ? null : Boolean.FALSE;
    } else {
      multiplexed = setup.knowsHttp2();
    }
    return new OriginPool(this, origin, multiplexed);
  }

  private ClientConnection open(OriginPool own) throws IOException {
    ClientConnector.Opened opened;
    try {
      opened = connector.open(own.origin());
    } catch (Throwable e) {
      own.failedToOpen();
      throw e;
    }
    if (closed) {
      opened.channel().close();
      own.failedToOpen();
      throw own.closed();
    }
    var made = new ClientConnection(scheduler, own, limits(), opened);
    own.opened(made);
    return made;
  }

  /// Closes the connections to an origin that no request has.
  void closeIdle(Origin origin) {
    OriginPool own = origins.get(origin);
    if (own != null) {
      own.closeIdle();
    }
  }

  /// Forgets an origin without connections and requests.
  void tidy(OriginPool own) {
    if (own.isEmpty()) {
      boolean _ = origins.remove(own.origin(), own);
    }
  }

  long nextTicket() {
    return tickets++;
  }

  /// {@return the number of connections, including connections that are being opened}
  int connectionCount() {
    return places;
  }

  int waiterCount() {
    int count = 0;
    for (OriginPool each : origins.values()) {
      count += each.waiterCount();
    }
    return count;
  }

  /// Whether another connection can be opened, at least in place of an idle one.
  boolean canMakeRoom() {
    return !closed && (!idle.isEmpty() || places < limits().connections());
  }

  /// A connection is about to be opened.
  void takePlace() {
    if (places >= limits().connections()) {
      ClientConnection oldest = idle.iterator().next();
      oldest.origin().evict(oldest);
    }
    places++;
  }

  /// A connection is gone.
  void givePlace() {
    places--;
  }

  /// Lets waiting requests to any origin go on, as far as there are connections or places for them.
  void serve() {
    OriginPool next;
    while ((next = nextToServe()) != null) {
      next.serveFirst();
    }
  }

  private @Nullable OriginPool nextToServe() {
    OriginPool first = null;
    for (OriginPool each : origins.values()) {
      boolean waits = each.firstTicket() < Long.MAX_VALUE && each.canServe();
      if (waits && (first == null || each.firstTicket() < first.firstTicket())) {
        first = each;
      }
    }
    return first;
  }

  /// A connection has no request.
  ///
  /// @return whether that is new
  boolean nowIdle(ClientConnection connection) {
    return idle.add(connection);
  }

  void notIdle(ClientConnection connection) {
    boolean _ = idle.remove(connection);
  }

  /// A connection is closed, and requests still have it.
  void keep(ClientConnection connection) {
    boolean _ = remains.add(connection);
  }

  /// No request has a closed connection any more.
  void forget(ClientConnection connection) {
    boolean _ = remains.remove(connection);
  }

  /// The client ends.
  void close() {
    closed = true;
    List.copyOf(origins.values()).forEach(OriginPool::close);
    List.copyOf(remains).forEach(ClientConnection::close);
    remains.clear();
  }
}
