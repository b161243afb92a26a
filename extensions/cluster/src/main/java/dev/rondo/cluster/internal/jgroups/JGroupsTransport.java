package dev.rondo.cluster.internal.jgroups;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.logging.Log;
import org.jgroups.logging.LogFactory;
import org.jgroups.protocols.TCP;

/// TCP by JGroups, with four repairs of JGroups 5.5.7:
///
/// - The thread that sends also connects, so one address that does not answer holds up what is sent
///   to all others. Here each address is connected by a thread of its own: [JGroupsConnector].
/// - A connection says goodbye before it is closed, and waits for ever if the other side takes in
///   nothing: views were not installed, and leaving did not end. Here that has a limit.
/// - A connection that was cut is kept, and after a cut TCP repeats what was sent only after a
///   pause that doubles each time: 13 s after a cut of 15 s. Here it is closed when the member is
///   silent.
/// - At each leave it may log two failures that are none: it closes a connection on one thread
///   while another reads from it, and says goodbye on one that is broken.
public final class JGroupsTransport extends TCP {

  /// How long connecting may take with the handshake of TLS, which has no limit of its own.
  private static final long CONNECTED_MILLIS = 2_000;

  private static final String READING = "%s: failed handling message: %s";
  private static final String GOODBYE = "%s: failed sending graceful close to %s: %s";

  /// How reading fails on a connection that this side has closed.
  private static final String CLOSED = "Stream closed";

  /// How long connections have to say goodbye.
  private static final long GOODBYE_MILLIS = 1_000;

  private final JGroupsConnector connector = new JGroupsConnector(new Sending());

  /// Addresses of which it was logged that they cannot be connected.
  private final Set<PhysicalAddress> refusing = ConcurrentHashMap.newKeySet();

  JGroupsTransport() {
    var _ = setId(ClassConfigurator.getProtocolId(TCP.class));
  }

  @Override
  public void sendUnicast(PhysicalAddress to, byte[] packet, int offset, int length)
      throws Exception {
    connector.send(to, packet, offset, length);
  }

  @Override
  protected void handleDisconnect() {
    try {
      connector.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Future<?> late = getTimer().schedule(this::closeAll, GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    super.handleDisconnect();
    var _ = late.cancel(false);
  }

  private void closeAll() {
    srv.forAllConnections((address, connection) -> close(connection));
  }

  /// Closes the connections to all others, on other threads: this one installs a view.
  @Override
  public void retainAll(Collection<Address> members) {
    closeOthers(address -> members.contains(address) || is_member.test((PhysicalAddress) address));
  }

  /// Closes the connection to a member, on another thread.
  void closeTo(PhysicalAddress silent) {
    closeOthers(address -> !address.equals(silent));
  }

  private void closeOthers(Predicate<Address> stays) {
    closeOthers(
        srv,
        stays,
        closing -> Thread.ofVirtual().name("cluster-closes").start(closing),
        connection ->
            getTimer().schedule(() -> close(connection), GOODBYE_MILLIS, TimeUnit.MILLISECONDS));
  }

  /// Chooses at once which connections are to be closed: by the time that a thread closes them, the
  /// next view may have brought a member back, with a new connection.
  ///
  /// @param stays whether the connections to an address stay
  /// @param threads runs each closing, which may take until its limit
  /// @param limits closes a connection after a while if its goodbye has not ended; cancelled when
  ///   it has
  static void closeOthers(
      BaseServer server,
      Predicate<Address> stays,
      Executor threads,
      Function<Connection, Future<?>> limits) {
    var leaving = new HashMap<Address, Connection>();
    server.forAllConnections((address, connection) -> {
      if (!stays.test(address)) {
        leaving.put(address, connection);
      }
    });
    leaving.forEach((address, connection) ->
        threads.execute(() -> {
          Future<?> late = limits.apply(connection);
          server.removeConnectionIfPresent(address, connection); // and no later one to that address
          var _ = late.cancel(false);
        }));
  }

  private static void close(Connection connection) {
    try {
      connection.close(false);
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void connectionEstablished(Connection made) {
    super.connectionEstablished(made);
    var _ = refusing.remove((PhysicalAddress) made.peerAddress());
  }

  private final class Sending implements JGroupsConnector.Output {

    @Override
    public boolean isConnected(PhysicalAddress to) {
      return srv.connectionEstablishedTo(to);
    }

    @Override
    public void send(PhysicalAddress to, byte[] packet, int offset, int length) throws Exception {
      JGroupsTransport.super.sendUnicast(to, packet, offset, length);
    }

    @Override
    public Runnable limit(Thread connecting) {
      Future<?> late =
          getTimer().schedule(connecting::interrupt, CONNECTED_MILLIS, TimeUnit.MILLISECONDS);
      return () -> late.cancel(false);
    }

    /// Not to reach a member is usual, and to be refused by it is not.
    @Override
    public void failed(PhysicalAddress to, Exception failure) {
      if (failure instanceof SocketException || failure instanceof SocketTimeoutException) {
        log.trace("%s: no connection to %s: %s", local_addr, to, failure);
      } else if (refusing.add(to)) {
        log.warn("%s: no connection to %s: %s", local_addr, to, failure);
      }
    }
  }

  @Override
  public void start() throws Exception {
    super.start();
    var _ = srv.log(quiet(LogFactory.getLog(TCP.class)));
  }

  /// {@return a log that passes on what another one has to log, but for those failures}
  static Log quiet(Log log) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (proxy, method, arguments) ->
                arguments != null && isUsual(arguments) ? null : method.invoke(log, arguments));
  }

  /// Whether arguments are a format, and what belongs there.
  private static boolean isUsual(Object[] arguments) {
    return GOODBYE.equals(arguments[0])
        || (arguments.length == 2
            && READING.equals(arguments[0])
            && arguments[1] instanceof Object[] parts
            && Arrays.asList(parts).contains(CLOSED));
  }
}
