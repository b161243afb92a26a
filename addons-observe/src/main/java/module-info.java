import org.jspecify.annotations.NullMarked;

/// Observing a scheduler: dumps, a recorder, the flight recorder, JMX, a watchdog, metrics and
/// limits.
@NullMarked
@SuppressWarnings("module") // the modules of the export come later
module dev.rondo.observe {
  requires com.google.common;
  requires transitive dev.rondo.scheduler;
  requires java.management;
  requires static jdk.jfr;
  requires static jdk.management;
  requires static org.jspecify;
  requires org.slf4j;

  exports dev.rondo.observe;
  exports dev.rondo.observe.internal to
      dev.rondo.application,
      dev.rondo.inspector,
      dev.rondo.junit,
      dev.rondo.simulation;

  provides dev.rondo.scheduler.addon.Instrument with
      dev.rondo.observe.internal.LockWatching;
}
