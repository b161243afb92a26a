import org.jspecify.annotations.NullMarked;

/// Schedulers on several machines: members, mailboxes, signals.
@NullMarked
@SuppressWarnings("requires-automatic") // JGroups has no descriptor
module dev.rondo.cluster {
  requires org.jgroups;
  requires static org.jspecify;
  requires transitive dev.rondo.condition;
  requires transitive dev.rondo.scheduler;

  exports dev.rondo.cluster;
}
