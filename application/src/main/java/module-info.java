import org.jspecify.annotations.NullMarked;

/// Applications: a scheduler with the add-ons for time, conditions, signals and IO; a test kit; and
/// hosts for user interfaces.
@NullMarked
@SuppressWarnings("module") // the module of the export comes later
module dev.rondo.application {
  requires static kotlin.stdlib; // one annotation
  requires dev.rondo.bound;
  requires transitive dev.rondo.condition;
  requires transitive dev.rondo.exploration;
  requires transitive dev.rondo.io;
  requires transitive dev.rondo.observe;
  requires transitive dev.rondo.scheduler;
  requires transitive dev.rondo.time;
  requires static transitive java.desktop;
  requires static javafx
      .graphics; // transitive, it would be required of every module that requires this one
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static java.management;
  requires org.slf4j;

  exports dev.rondo.application;
  exports dev.rondo.application.internal to
      dev.rondo.computicle,
      dev.rondo.simulation.blocking;
  exports dev.rondo.application.testing;
  exports dev.rondo.application.ui;

  uses dev.rondo.application.testing.RunParameter;

  opens dev.rondo.application.testing to
      org.junit.platform.commons;
}
