package dev.rondo.cluster.internal.engine;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.internal.ReportText;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/// Why a node cannot join, in the same words whatever the engine is.
public final class JoinFailures {

  /// The identity of an agreement of members that have none, as they tell each other.
  public static final String NOTHING = "nothing";

  private JoinFailures() {}

  /// A member of the cluster agrees by something else.
  ///
  /// @param ours by what this node agrees
  /// @param theirs what it says
  public static ClusterException otherEngine(
      ClusterConfig config, String ours, Member member, String theirs) {
    return new ClusterException(
        "node '%s' agrees by %s, but member '%s' of cluster '%s' says that it agrees by %s"
            .formatted(config.node(), ours, member, config.cluster(), theirs),
        null);
  }

  /// No member was found, and what listens at an address refuses this node.
  ///
  /// @param said by which address
  public static ClusterException refused(
      ClusterConfig config, Map<InetSocketAddress, String> said) {
    return new ClusterException(
        "node '%s' is refused by those that it knows of cluster '%s': %s"
            .formatted(config.node(), config.cluster(), said),
        null);
  }

  /// A member of the cluster speaks none of the versions of this node.
  public static ClusterException otherWire(
      ClusterConfig config, Wire ours, Member member, String theirs) {
    return new ClusterException(
        "node '%s' speaks version %s of the messages between members, but member '%s' of cluster '%s' speaks %s"
            .formatted(config.node(), ours, member, config.cluster(), theirs),
        null);
  }

  public static ClusterException nameTaken(ClusterConfig config) {
    return new ClusterException(
        "cluster '%s' has a member with the name '%s' already"
            .formatted(config.cluster(), config.node()),
        null);
  }

  /// Too few members have been found.
  ///
  /// @param missing the configured addresses without a member
  public static ClusterException tooFew(
      ClusterConfig config, List<Member> shown, List<InetSocketAddress> missing) {
    return new ClusterException(
        "node '%s' needs %d members, but after %s there are only %s; no member at %s"
            .formatted(
                config.node(),
                config.atLeast(),
                ReportText.duration(config.limits().join()),
                shown,
                missing),
        null);
  }

  public static ClusterException cannotListen(ClusterConfig config, Exception cause) {
    return new ClusterException(
        "node '%s' cannot listen on %s: it is taken, or no address of this machine"
            .formatted(config.node(), config.address()),
        cause);
  }

  /// {@return the TLS of a node outside of a world, where simulated TLS protects nothing}
  public static SSLContext requireReal(ClusterConfig config, ClusterTls tls)
      throws ClusterException {
    SSLContext context = tls.context();
    if (context == null) {
      throw new ClusterException(
          "node '%s' cannot join cluster '%s': ClusterTls.simulated() is for the hosts of a simulated world: see ClusterTls.of(..)"
              .formatted(config.node(), config.cluster()),
          null);
    }
    return context;
  }

  public static ClusterException other(ClusterConfig config, Exception cause) {
    return new ClusterException(
        "node '%s' cannot join cluster '%s': %s"
            .formatted(config.node(), config.cluster(), cause.getMessage()),
        cause);
  }
}
