package dev.rondo.scheduler.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// Marks the test classes that every build runs on every backend: contract suites, and tests of
/// behaviour in which the backends differ. Every build runs the other classes on the first backend
/// only, and the nightly build on all; see [EveryBackend].
@Documented
@Tag("backends-differ")
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface BackendsDiffer {}
