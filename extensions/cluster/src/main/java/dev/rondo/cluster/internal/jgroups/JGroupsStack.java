package dev.rondo.cluster.internal.jgroups;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.internal.engine.JoinFailures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.Bundler;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.DiagnosticsHandler;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.Responses;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/// The protocols of a member: one listening socket, and connections that are TLS if the member is
/// secured.
///
/// A member whose connection breaks is suspected by the transport itself, and those that are silent
/// by `FD_ALL3`. `FD_SOCK2` is not among them: it listens on a second socket, which cannot be TLS.
public final class JGroupsStack {

  /// The longest packet that is read; larger messages are sent in fragments.
  private static final int PACKET_BYTES = 1 << 20;

  private static final int FRAGMENT_BYTES = 60_000;

  /// How long a first member looks for others before it founds the cluster.
  private static final long DISCOVERY_MILLIS = 1_000;

  /// How long a connection may take to be made, without the handshake of TLS. Meanwhile the thread
  /// that accepts connections may wait for it.
  private static final int CONNECT_MILLIS = 500;

  /// How often parts of a cluster look for each other.
  private static final long MERGE_LEAST_MILLIS = 1_000;

  private static final long MERGE_MOST_MILLIS = 3_000;

  /// How long a suspected member has to say that it is there.
  private static final long VERIFY_MILLIS = 1_000;

  /// How long the receipt of a message may be unconfirmed.
  private static final long ACK_MILLIS = 100;

  /// How many heartbeats may be missing.
  private static final long HEARTBEATS = 8;

  private JGroupsStack() {}

  static List<Protocol> of(ClusterConfig config, Bundler bundler) throws Exception {
    long silence = TimeUnit.MILLISECONDS.convert(config.limits().silence());
    return List.of(
        transport(config, bundler),
        new AddressList(config).setPortRange(0),
        new MERGE3().setMinInterval(MERGE_LEAST_MILLIS).setMaxInterval(MERGE_MOST_MILLIS),
        new Silence().setTimeout(silence).setInterval(silence / HEARTBEATS),
        new VERIFY_SUSPECT2().setTimeout(VERIFY_MILLIS),
        new NAKACK2().useMcastXmit(false),
        new UNICAST3().setXmitInterval(ACK_MILLIS),
        new STABLE(),
        new GMS()
            .printLocalAddress(false)
            .setJoinTimeout(
                config.members().isEmpty() && config.finder() == null ? 1 : DISCOVERY_MILLIS),
        new FRAG2().setFragSize(FRAGMENT_BYTES));
  }

  /// Closes the connection to a member that begins to be silent.
  static final class Silence extends FD_ALL3 {

    Silence() {
      var _ = setId(ClassConfigurator.getProtocolId(FD_ALL3.class));
    }

    /// Called again and again as long as they are silent.
    @Override
    protected void suspect(List<Address> silent) {
      for (Address each : silent) {
        if (!suspected_mbrs.contains(each)
            && getTransport() instanceof JGroupsTransport transport
            && down(new Event(Event.GET_PHYSICAL_ADDRESS, each)) instanceof PhysicalAddress at) {
          transport.closeTo(at);
        }
      }
      super.suspect(silent);
    }
  }

  /// Looks for members at given addresses, whatever port this one has: without it the transport
  /// would refuse to take any free port.
  static final class AddressList extends TCPPING {

    private final List<InetSocketAddress> given;
    private final @Nullable Supplier<List<InetSocketAddress>> finder;
    private volatile List<InetSocketAddress> found = List.of();
    private volatile Set<PhysicalAddress> resolved = Set.of();
    private volatile boolean started;

    AddressList(ClusterConfig config) {
      this.given = config.members();
      this.finder = config.finder();
      var _ = setId(ClassConfigurator.getProtocolId(TCPPING.class));
      // Parts that know one member in common find each other by it; else they contend for it.
      return_entire_cache = true;
      resolve();
    }

    /// Names may have other addresses now, and there may be others.
    @Override
    public void findMembers(List<Address> members, boolean initial, Responses responses) {
      if (finder != null) {
        try {
          found = List.copyOf(finder.get());
        } catch (RuntimeException e) {
          log.warn("the addresses of members are those of before: " + e);
        }
      }
      if (finder != null || given.stream().anyMatch(InetSocketAddress::isUnresolved)) {
        resolve();
      }
      super.findMembers(members, initial, responses);
    }

    private void resolve() {
      Set<PhysicalAddress> hosts = new LinkedHashSet<>();
      for (InetSocketAddress each : all()) {
        for (InetAddress host : hosts(each)) {
          hosts.add(new IpAddress(host, each.getPort()));
        }
      }
      resolved = Set.copyOf(hosts);
      var _ = setInitialHosts2(hosts);
    }

    /// All addresses at which it looks for members.
    List<InetSocketAddress> all() {
      return Stream.concat(given.stream(), found.stream()).toList();
    }

    /// Whether an address that was given is the one of a member.
    static boolean isOf(InetSocketAddress named, InetSocketAddress member) {
      return named.getPort() == member.getPort() && hosts(named).contains(member.getAddress());
    }

    private static List<InetAddress> hosts(InetSocketAddress named) {
      InetAddress known = named.getAddress();
      try {
        return known != null
            ? List.of(known)
            : List.of(InetAddress.getAllByName(named.getHostString()));
      } catch (UnknownHostException e) {
        return List.of(); // it may be known at the next attempt
      }
    }

    /// Hides a port of 0, which would be warned of.
    @Override
    public void init() throws Exception {
      TP transport = getTransport();
      int port = transport.getBindPort();
      transport.setBindPort(Math.max(port, 1));
      try {
        super.init();
      } finally {
        transport.setBindPort(port);
      }
    }

    @Override
    public boolean isDynamic() {
      return !started; // the transport asks before
    }

    @Override
    public void start() throws Exception {
      started = true;
      super.start();
    }
  }

  /// {@return where a channel looks for members}
  static List<InetSocketAddress> lookedAt(JChannel channel) {
    AddressList list = channel.getProtocolStack().findProtocol(AddressList.class);
    return list.all();
  }

  /// {@return the same addresses, as their names were resolved last}
  static Set<PhysicalAddress> resolved(JChannel channel) {
    AddressList list = channel.getProtocolStack().findProtocol(AddressList.class);
    return list.resolved;
  }

  /// Has the socket that the transport listens on.
  private static final class Sockets extends DefaultSocketFactory {

    private volatile @Nullable ServerSocket listening;

    Sockets() {}

    Sockets(SSLContext context) {
      super(context);
    }

    @Override
    public ServerSocket createServerSocket(String name) throws IOException {
      ServerSocket made = super.createServerSocket(name);
      listening = made;
      return made;
    }
  }

  /// Closes the socket that a channel listens on. JGroups 5.5.7 closes it only if it has begun to
  /// accept, which it has not if a protocol above the transport could not be started.
  static void closeListening(JChannel closed) {
    if (closed.getProtocolStack().getTransport().getSocketFactory() instanceof Sockets sockets) {
      Util.close(sockets.listening);
    }
  }

  private static TCP transport(ClusterConfig config, Bundler bundler) throws Exception {
    InetSocketAddress address = requireNonNull(config.address());
    var transport = new JGroupsTransport();
    transport.setBindAddress(address.getAddress());
    transport.setBindPort(address.getPort());
    transport.setClientBindAddr(address.getAddress()); // else the system chooses one
    transport.setSockConnTimeout(CONNECT_MILLIS);
    transport.setPortRange(0);
    transport.setDiagnosticsHandler(new DiagnosticsHandler().setEnabled(false));
    transport.enableSuspectEvents(true);
    transport.setMaxLength(PACKET_BYTES);
    transport.nonBlockingSends(true);
    transport.logDetails(false);
    transport.tcpNodelay(true);
    transport.setBundler(bundler);
    transport.msgProcessingPolicy(new JGroupsDelivery());
    ClusterTls tls = config.tls();
    transport.setSocketFactory(
        tls == null ? new Sockets() : mutual(JoinFailures.requireReal(config, tls)));
    return transport;
  }

  /// Sockets that show their certificate, and demand one of the other side.
  private static Sockets mutual(SSLContext tls) {
    var factory = new Sockets(tls);
    String[] protocols = {"TLSv1.3"};
    factory.setServerSocketConfigurator(socket -> {
      var secure = (SSLServerSocket) socket;
      secure.setNeedClientAuth(true);
      secure.setEnabledProtocols(protocols);
    });
    factory.setSocketConfigurator(socket -> ((SSLSocket) socket).setEnabledProtocols(protocols));
    return factory;
  }
}
