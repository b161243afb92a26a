import org.jspecify.annotations.NullMarked;

/// Programs that are written for threads, on the hosts of a simulated world. For tests.
@NullMarked
module dev.rondo.simulation.threads {
  requires java.management;
  requires java.net.http; // whose classes are changed
  requires java.sql;
  requires static org.jspecify;
  requires transitive dev.rondo.simulation;
  requires transitive java.instrument;

  exports dev.rondo.simulation.threads;
}
