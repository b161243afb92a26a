import org.jspecify.annotations.NullMarked;

/// Schedulers on several machines: members, mailboxes, signals, leases.
@NullMarked
@SuppressWarnings("requires-automatic") // JGroups has no descriptor
module dev.rondo.cluster {
  requires static kotlin.stdlib; // one annotation
  requires org.jgroups;
  requires static dev.rondo.grpc; // with etcd
  requires static io.netty.handler; // with etcd
  requires static transitive dev.rondo.simulation; // on the hosts of a world
  requires static org.jspecify;
  requires transitive dev.rondo.condition;
  requires transitive dev.rondo.scheduler;
  requires transitive dev.rondo.time;

  exports dev.rondo.cluster;
  exports dev.rondo.cluster.config;
  exports dev.rondo.cluster.members;
  exports dev.rondo.cluster.simulation;
  exports dev.rondo.cluster.internal.jgroups to
      org.jgroups; // which makes the headers of messages
}
