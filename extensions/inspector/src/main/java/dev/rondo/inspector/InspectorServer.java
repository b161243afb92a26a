package dev.rondo.inspector;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.rondo.application.internal.InspectorProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/// Serves the page and its data. One thread accepts connections. Each connection has a thread of
/// its own and carries one request. Any thread.
///
/// A client that sends nothing, or reads slowly, is disconnected after a few seconds. If there are
/// too many connections, a new one closes the oldest. So slow clients do not keep other clients
/// waiting.
final class InspectorServer implements InspectorProvider.Page {

  private static final int MOST_CONNECTIONS = 32;
  private static final int BACKLOG = 64;

  /// The time between two checks of the connections, while there are any.
  private static final int SWEEP_MILLIS = 500;

  private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long CLOSING_SECONDS = 2;
  private static final int FOREVER = 0;

  private final ServerSocket listener;
  private final RequestRules rules;
  private final Answers answers = new Answers();
  private final Thread acceptor;

  /// The connections, in the order in which they came. Guarded by itself.
  private final ArrayDeque<Connection> connections = new ArrayDeque<>();

  private InspectorServer(ServerSocket listener, String name) {
    this.listener = listener;
    this.rules = new RequestRules(name);
    this.acceptor = Thread.ofPlatform().daemon().name("rondo-inspector").unstarted(this::serve);
  }

  /// Begins to serve.
  ///
  /// @param address the address to listen on; port 0 for any free port
  /// @throws IllegalStateException if the server cannot listen there
  static InspectorServer open(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalStateException("the inspector's host is not known: " + address);
    }
    ServerSocket listener;
    try {
      listener = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
    } catch (IOException e) {
      throw new IllegalStateException(
          "the inspector cannot listen on %s: %s; give it another port, or 0 for any free one"
              .formatted(address, e.getMessage()),
          e);
    }
    var server = new InspectorServer(listener, address.getHostString());
    server.acceptor.start();
    return server;
  }

  @Override
  public URI uri() {
    var bound = (InetSocketAddress) listener.getLocalSocketAddress();
    String host = bound.getAddress().isAnyLocalAddress() ? "localhost" : hostOf(bound);
    return URI.create("http://%s:%d/".formatted(host, bound.getPort()));
  }

  private static String hostOf(InetSocketAddress bound) {
    String host = bound.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host.replaceFirst("%.*", "") + "]" : host;
  }

  /// Ends the server and all requests. Waits for the accepting thread, because the system keeps the
  /// port during the thread's call. The port is free afterwards.
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      LoggerFactory.getLogger(InspectorServer.class).warn("closing the inspector failed", e);
    }
    taken(Integer.MAX_VALUE).forEach(Connection::close);
    Uninterruptibles.joinUninterruptibly(acceptor, CLOSING_SECONDS, TimeUnit.SECONDS);
  }

  // Connections.

  private void serve() {
    while (!listener.isClosed()) {
      try {
        listener.setSoTimeout(sweep() ? SWEEP_MILLIS : FOREVER);
        admit(listener.accept());
      } catch (SocketTimeoutException _) {
        // to look at the connections
      } catch (IOException e) {
        if (!listener.isClosed()) {
          LoggerFactory.getLogger(InspectorServer.class).warn("the inspector cannot accept", e);
          LockSupport.parkNanos(AFTER_FAILURE_NANOS); // the system may lack descriptors
        }
      }
    }
  }

  private void admit(Socket socket) {
    var connection = new Connection(socket, rules, answers);
    List<Connection> leaving;
    synchronized (connections) {
      leaving = taken(connections.size() + 1 - MOST_CONNECTIONS);
      connections.add(connection);
    }
    leaving.forEach(Connection::close);
    if (listener.isClosed()) {
      connection.close(); // it came while this was being closed
    }
    Thread.ofPlatform()
        .daemon()
        .name("rondo-inspector-request")
        .start(() -> {
          connection.run();
          synchronized (connections) {
            connections.remove(connection);
          }
        });
  }

  /// {@return the oldest connections, which are removed from here}
  private List<Connection> taken(int count) {
    var oldest = new ArrayList<Connection>();
    synchronized (connections) {
      while (oldest.size() < count && !connections.isEmpty()) {
        oldest.add(connections.remove());
      }
    }
    return oldest;
  }

  /// Closes connections that take too long.
  ///
  /// @return whether there are any left
  private boolean sweep() {
    List<Connection> open;
    synchronized (connections) {
      open = List.copyOf(connections);
    }
    long now = System.nanoTime();
    open.stream().filter(each -> each.isLate(now)).forEach(Connection::close);
    return !open.isEmpty();
  }
}
