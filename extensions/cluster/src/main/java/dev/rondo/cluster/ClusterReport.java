package dev.rondo.cluster;

import com.google.common.base.Joiner;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.members.Members;
import dev.rondo.scheduler.addon.AddOnReport;
import java.net.InetSocketAddress;
import java.util.Optional;

/// The report of a node on its cluster in dumps, JMX and meters.
///
/// @param address of this node; empty unless it has joined
/// @param standing what else it is, for people
record ClusterReport(
    ClusterConfig config, Members members, Optional<InetSocketAddress> address, String standing) {

  void writeTo(AddOnReport report, Participation participation, PostOffice office) {
    boolean leads = participation.leads();
    report
        .gauge("cluster.members", members.all().size())
        .gauge("cluster.joined", address.isPresent() ? 1 : 0)
        .gauge("cluster.leads", leads ? 1 : 0)
        .line(() -> node() + (leads ? ", leads" : ""));
    if (members.all().size() > 1) {
      report.line(() -> "members: " + Joiner.on(", ").join(members.all()));
    }
    office.describe(report);
    participation.describe(report);
  }

  private String node() {
    String where =
        address
            .map(at -> "joined at %s:%d".formatted(at.getHostString(), at.getPort()))
            .orElse(standing);
    return "node '%s' of cluster '%s', %s".formatted(config.node(), config.cluster(), where);
  }
}
