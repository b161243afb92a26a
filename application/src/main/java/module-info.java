import org.jspecify.annotations.NullMarked;

/// Applications: a scheduler with the add-ons for time, conditions, signals and IO.
@NullMarked
@SuppressWarnings("module") // the module of the export comes later
module dev.rondo.application {
  requires static kotlin.stdlib; // one annotation
  requires dev.rondo.bound;
  requires transitive dev.rondo.condition;
  requires transitive dev.rondo.io;
  requires transitive dev.rondo.observe;
  requires transitive dev.rondo.scheduler;
  requires transitive dev.rondo.time;
  requires static org.jspecify;
  requires org.slf4j;

  exports dev.rondo.application;
  exports dev.rondo.application.internal to
      dev.rondo.computicle,
      dev.rondo.inspector,
      dev.rondo.junit,
      dev.rondo.simulation,
      dev.rondo.simulation.threads,
      dev.rondo.ui;

  uses dev.rondo.application.internal.InspectorProvider;
}
