import org.jspecify.annotations.NullMarked;

/// Waiting for IO.
@NullMarked
module dev.rondo.io {
  requires transitive dev.rondo.scheduler;
  requires static org.jspecify;

  exports dev.rondo.io;
}
