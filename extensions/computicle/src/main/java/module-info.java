import org.jspecify.annotations.NullMarked;

/// Several schedulers in one process.
@NullMarked
module dev.rondo.computicle {
  requires static kotlin.stdlib; // one annotation
  requires static org.jspecify;
  requires transitive dev.rondo.application;
  requires transitive dev.rondo.scheduler;

  exports dev.rondo.computicle;
}
