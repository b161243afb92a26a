import org.jspecify.annotations.NullMarked;

/// The random choices of a run: explored, shrunk, replayed, drawn.
@NullMarked
@SuppressWarnings("module") // the modules of the export come later
module dev.rondo.exploration {
  requires static org.jspecify;
  requires transitive dev.rondo.observe;
  requires transitive dev.rondo.scheduler;

  exports dev.rondo.exploration;
  exports dev.rondo.exploration.picture;
  exports dev.rondo.exploration.internal to
      dev.rondo.junit,
      dev.rondo.simulation,
      dev.rondo.simulation.threads;
}
