package dev.rondo.cluster.config;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers of etcd by which the nodes of a cluster agree. See
/// [ClusterConfig#withEtcd(EtcdServers)].
///
/// @param addresses of one or more servers of the same etcd; a name that is not resolved is
///   resolved at each attempt to connect
/// @param tls null for none, which loopback addresses alone allow; the host name of a server's
///   certificate is compared
/// @param user null if etcd asks for none
/// @param password of the user; null without one
public record EtcdServers(
    List<InetSocketAddress> addresses,
    @Nullable ClusterTls tls,
    @Nullable String user,
    @Nullable String password) {

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if there is no address, one is no loopback address and there
  ///   is no TLS, or a user has no password
  public EtcdServers {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("etcd needs an address at least");
    }
    for (InetSocketAddress each : addresses) {
      if (tls == null && !isLocal(each)) {
        throw new IllegalArgumentException(
            "%s is no loopback address, so etcd needs TLS there: see secured(..)".formatted(each));
      }
    }
    if ((user == null) != (password == null)) {
      throw new IllegalArgumentException(
          "a user of etcd needs a password, and a password needs a user");
    }
  }

  private static boolean isLocal(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    return host == null ? address.getHostString().equals("localhost") : host.isLoopbackAddress();
  }

  private static List<InetSocketAddress> listed(InetSocketAddress... addresses) {
    requireNonNull(addresses, "addresses is null");
    for (InetSocketAddress each : addresses) {
      requireNonNull(each, "address is null");
    }
    return List.of(addresses);
  }

  /// {@return servers on loopback addresses, without TLS and user}
  ///
  /// @param addresses of one or more
  /// @throws IllegalArgumentException if there is none, or one that is no loopback address
  public static EtcdServers local(InetSocketAddress... addresses) {
    return new EtcdServers(listed(addresses), null, null, null);
  }

  /// {@return servers that this node reaches by TLS} The node shows its certificate to a server
  /// that demands one.
  ///
  /// @param tls the key of this node, and what it trusts
  /// @param addresses of one or more
  /// @throws IllegalArgumentException if there is none
  public static EtcdServers secured(ClusterTls tls, InetSocketAddress... addresses) {
    return new EtcdServers(listed(addresses), requireNonNull(tls, "tls is null"), null, null);
  }

  /// {@return the same with a user of etcd}
  ///
  /// @param name of the user, who may read and write below `rondo/` and the name of the cluster
  /// @param secret the password
  public EtcdServers as(String name, String secret) {
    requireNonNull(name, "name is null");
    return new EtcdServers(addresses, tls, name, requireNonNull(secret, "secret is null"));
  }

  /// Leaves the password out.
  @Override
  public String toString() {
    return "EtcdServers[addresses=%s, tls=%s, user=%s]".formatted(addresses, tls != null, user);
  }
}
