import org.jspecify.annotations.NullMarked;

/// Waiting for time.
@NullMarked
module dev.rondo.time {
  requires transitive dev.rondo.scheduler;
  requires static org.jspecify;

  exports dev.rondo.time;
}
