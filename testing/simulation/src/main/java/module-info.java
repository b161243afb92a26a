import org.jspecify.annotations.NullMarked;

/// A network of hosts in one process, under virtual time, and their disks.
@NullMarked
// Jimfs has a name, but no descriptor; the module of the export comes later
@SuppressWarnings({"requires-automatic", "module"})
module dev.rondo.simulation {
  requires com.google.common.jimfs;
  requires static org.jspecify;
  requires dev.rondo.junit;
  requires java.management;
  requires jdk.attach;
  requires jdk.net;
  requires org.slf4j;
  requires transitive dev.rondo.application;
  requires transitive dev.rondo.exploration;
  requires transitive dev.rondo.io;
  requires transitive dev.rondo.scheduler;
  requires transitive dev.rondo.time;
  requires transitive java.instrument;

  exports dev.rondo.simulation;
  exports dev.rondo.simulation.model;
  exports dev.rondo.simulation.internal.agent to
      dev.rondo.simulation.threads;
  exports dev.rondo.simulation.internal.net to
      dev.rondo.simulation.threads;
  exports dev.rondo.simulation.internal.threads to
      dev.rondo.simulation.threads;

  provides dev.rondo.junit.internal.RunParameter with
      dev.rondo.simulation.testing.WorldParameter;
}
