import org.jspecify.annotations.NullMarked;

/// Tests that run as tasks under virtual time.
@NullMarked
module dev.rondo.junit {
  requires transitive dev.rondo.application;
  requires transitive dev.rondo.exploration;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static java.management;

  exports dev.rondo.junit;

  uses dev.rondo.junit.RunParameter;

  opens dev.rondo.junit to
      org.junit.platform.commons;
}
