package dev.rondo.cluster.config;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How a node takes part in a cluster. Without an address it is alone, and opens no socket.
///
/// @param node its name, unique among the members, 1 to 255 bytes of UTF-8
/// @param cluster the name of the cluster, 1 to 255 bytes of UTF-8; nodes of different ones ignore
///   each other
/// @param address where it listens; null to be alone
/// @param members where other members may listen; itself may be among them. A name that is not
///   resolved is resolved at each attempt to find members, and all its addresses are tried; not on
///   the hosts of a simulated world
/// @param finder gives more such addresses, and is asked at each attempt to find members; null for
///   none
/// @param atLeast how many members, this one included, must be there for joining to succeed; at
///   least 1
/// @param tls null for none, which loopback addresses alone allow
/// @param limits its limits
/// @param etcd by which the nodes agree on leases and values; null for no leases, unless it is
///   alone
/// @param folder where a node that is alone keeps what it has agreed to; null for its memory
public record ClusterConfig(
    String node,
    String cluster,
    @Nullable InetSocketAddress address,
    List<InetSocketAddress> members,
    @Nullable Supplier<List<InetSocketAddress>> finder,
    int atLeast,
    @Nullable ClusterTls tls,
    ClusterLimits limits,
    @Nullable EtcdServers etcd,
    @Nullable Path folder) {

  private static final int LONGEST_NAME = 255;

  /// Checks the addresses that another one gives.
  private record Checked(Supplier<List<InetSocketAddress>> given, boolean local)
      implements Supplier<List<InetSocketAddress>> {

    static Supplier<List<InetSocketAddress>> of(
        Supplier<List<InetSocketAddress>> finder, boolean local) {
      return new Checked(finder instanceof Checked before ? before.given : finder, local);
    }

    @Override
    public List<InetSocketAddress> get() {
      List<InetSocketAddress> found = List.copyOf(given.get());
      found.forEach(each -> requireReachable(each, local));
      return found;
    }
  }

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if it is unsafe: the address is that of all interfaces, or no
  ///   loopback address and there is no TLS; or if a name, a number or an address is not as above
  public ClusterConfig {
    requireNonNull(node, "node is null");
    requireNonNull(cluster, "cluster is null");
    members = List.copyOf(members);
    requireNonNull(limits, "limits is null");
    requireAlone(etcd != null, folder, address == null);
    requireName("node", node);
    requireName("cluster", cluster);
    if (atLeast < 1) {
      throw new IllegalArgumentException("atLeast must be at least 1, but is " + atLeast);
    }
    if (address != null) {
      requireSafe(address, tls);
      boolean local = address.getAddress().isLoopbackAddress();
      members.forEach(each -> requireReachable(each, local));
      finder = finder == null ? null : Checked.of(finder, local);
    } else if (!members.isEmpty() || finder != null || atLeast > 1) {
      throw new IllegalArgumentException(
          "node '" + node + "' has no address of its own, so it cannot have members: see at(..)");
    }
  }

  private static void requireName(String of, String name) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the name of a %s must have 1 to %d bytes of UTF-8, but has %d"
              .formatted(of, LONGEST_NAME, length));
    }
  }

  private static void requireAlone(boolean agrees, @Nullable Path folder, boolean isAlone) {
    if (isAlone && agrees) {
      throw new IllegalArgumentException(
          "a node without an address is alone, and agrees with no other one: see at(..)");
    }
    if (!isAlone && folder != null) {
      throw new IllegalArgumentException(
          "a folder keeps what a node agrees to that is alone; several agree by etcd: see"
              + " withEtcd(..)");
    }
  }

  private static void requireSafe(InetSocketAddress address, @Nullable ClusterTls tls) {
    InetAddress host = requireResolved(address);
    if (host.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "%s stands for all interfaces: name the one that the other members reach"
              .formatted(address));
    }
    if (host.isMulticastAddress()) {
      throw new IllegalArgumentException(address + " is a multicast address");
    }
    if (tls == null && !host.isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "%s is no loopback address, so members need TLS there: see secured(..)"
              .formatted(address));
    }
  }

  private static void requireReachable(InetSocketAddress member, boolean local) {
    InetAddress host = member.getAddress();
    boolean isLocal =
        host == null ? member.getHostString().equals("localhost") : host.isLoopbackAddress();
    if (local && !isLocal) {
      throw new IllegalArgumentException(
          "a node that listens on a loopback address cannot have a member at " + member);
    }
  }

  private static InetAddress requireResolved(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    if (host == null) {
      throw new IllegalArgumentException("address " + address + " is not resolved");
    }
    return host;
  }

  /// {@return the configuration of a node that is alone}
  ///
  /// @param node its name
  public static ClusterConfig of(String node) {
    return new ClusterConfig(
        node, "rondo", null, List.of(), null, 1, null, ClusterLimits.USUAL, null, null);
  }

  /// {@return the same in a cluster of another name}
  ///
  /// @param name of the cluster, 1 to 255 bytes of UTF-8; `rondo` if none is given
  /// @throws IllegalArgumentException if it is shorter or longer
  public ClusterConfig in(String name) {
    requireNonNull(name, "name is null");
    return new ClusterConfig(
        node, name, address, members, finder, atLeast, tls, limits, etcd, folder);
  }

  /// {@return the same that listens on a loopback address, or on any address if it is secured}
  ///
  /// @param listens resolved; port 0 for any that is free
  /// @throws IllegalArgumentException if that is unsafe
  public ClusterConfig at(InetSocketAddress listens) {
    requireNonNull(listens, "listens is null");
    return new ClusterConfig(
        node, cluster, listens, members, finder, atLeast, tls, limits, etcd, folder);
  }

  /// {@return the same that looks for members at these addresses} Not all of them need to be there.
  ///
  /// @param addresses a name that is not resolved is resolved at each attempt to find members
  public ClusterConfig with(List<InetSocketAddress> addresses) {
    requireNonNull(addresses, "addresses is null")
        .forEach(each -> requireNonNull(each, "address is null"));
    return new ClusterConfig(
        node, cluster, address, addresses, finder, atLeast, tls, limits, etcd, folder);
  }

  /// {@return the same that looks for members at other addresses too, which may change} They may be
  /// lines of a file, or answers of a service.
  ///
  /// @param found is asked at each attempt to find members, some seconds apart, on threads of the
  ///   engine; may block. When it fails, or gives an address that this node cannot reach because it
  ///   listens on a loopback address, that is logged, and the addresses that it gave last are used;
  ///   on a host of a simulated world the run fails
  public ClusterConfig with(Supplier<List<InetSocketAddress>> found) {
    requireNonNull(found, "found is null");
    return new ClusterConfig(
        node, cluster, address, members, found, atLeast, tls, limits, etcd, folder);
  }

  /// {@return the same that fails to join if fewer members are there in time}
  ///
  /// @param count this one included
  public ClusterConfig withAtLeast(int count) {
    return new ClusterConfig(
        node, cluster, address, members, finder, count, tls, limits, etcd, folder);
  }

  /// {@return the same with mutual TLS} Comes before an address that is no loopback address.
  ///
  /// @param secure its key, and what it trusts
  public ClusterConfig secured(ClusterTls secure) {
    requireNonNull(secure, "secure is null");
    return new ClusterConfig(
        node, cluster, address, members, finder, atLeast, secure, limits, etcd, folder);
  }

  /// {@return the same with other limits}
  ///
  /// @param other the limits
  public ClusterConfig limited(ClusterLimits other) {
    requireNonNull(other, "other is null");
    return new ClusterConfig(
        node, cluster, address, members, finder, atLeast, tls, other, etcd, folder);
  }

  /// {@return the same with leases, counters and registers, by etcd} They work while etcd does. All
  /// nodes of the cluster name servers of the same etcd. Needs `rondo-grpc`. On a host of a
  /// simulated world it is that of another host, see [dev.rondo.cluster.simulation.SimulatedEtcd].
  ///
  /// @param servers of etcd, version 3.4 or later
  /// @throws IllegalArgumentException if the node has no address
  public ClusterConfig withEtcd(EtcdServers servers) {
    requireNonNull(servers, "servers is null");
    return new ClusterConfig(
        node, cluster, address, members, finder, atLeast, tls, limits, servers, folder);
  }

  /// {@return the same that keeps what it has agreed to} For a node that is alone. It
  /// [joins][dev.rondo.cluster.WaitForCluster#join()] to read it, and a task learns of an agreement
  /// when it is on the disk. Not used on a host of a simulated world.
  ///
  /// @param place a folder of this node only; made if it is not there
  /// @throws IllegalArgumentException if the node has an address
  public ClusterConfig keptIn(Path place) {
    requireNonNull(place, "place is null");
    return new ClusterConfig(
        node, cluster, address, members, finder, atLeast, tls, limits, etcd, place);
  }
}
