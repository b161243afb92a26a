import org.jspecify.annotations.NullMarked;

/// Applications: a scheduler with the add-ons for time, conditions, signals and IO; and hosts for
/// user interfaces.
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
  requires static transitive java.desktop;
  requires static javafx
      .graphics; // transitive, it would be required of every module that requires this one
  requires static org.jspecify;
  requires static java.management;
  requires org.slf4j;

  exports dev.rondo.application;
  exports dev.rondo.application.internal to
      dev.rondo.computicle,
      dev.rondo.junit,
      dev.rondo.simulation.blocking;
  exports dev.rondo.application.ui;
}
