import org.jspecify.annotations.NullMarked;

/// Metrics through Micrometer.
@NullMarked
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer is no module
module dev.rondo.micrometer {
  requires com.google.common;
  requires dev.rondo.io;
  requires static transitive dev.rondo.http;
  requires transitive dev.rondo.scheduler;
  requires dev.rondo.time;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.rondo.micrometer;
}
