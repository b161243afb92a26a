import org.jspecify.annotations.NullMarked;

/// Tests that run as tasks under virtual time.
@NullMarked
@SuppressWarnings("module") // the module of the export comes later
module dev.rondo.junit {
  requires transitive dev.rondo.application;
  requires transitive dev.rondo.exploration;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static java.management;

  exports dev.rondo.junit;
  exports dev.rondo.junit.internal to
      dev.rondo.simulation;

  uses dev.rondo.junit.internal.RunParameter;

  opens dev.rondo.junit to
      org.junit.platform.commons;
}
