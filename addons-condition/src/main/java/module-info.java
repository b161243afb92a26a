import org.jspecify.annotations.NullMarked;

/// Waiting for conditions and signals.
@NullMarked
module dev.rondo.condition {
  requires static kotlin.stdlib; // one annotation
  requires transitive dev.rondo.scheduler;
  requires static org.jspecify;

  exports dev.rondo.condition;
  exports dev.rondo.condition.channel;
  exports dev.rondo.condition.sync;
}
