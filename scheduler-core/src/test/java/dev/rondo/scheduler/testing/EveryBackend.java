package dev.rondo.scheduler.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs a test class once on each coroutine backend to test. The class has one parameter, the
/// `CoroutineBackend`. Subclasses of [SchedulerTest] inherit this annotation.
///
/// The backends to test are CONTINUATION, and for classes with [BackendsDiffer] all of them. The
/// system property `rondo.test.backends` selects others for all classes: some of `continuation`,
/// `bound` and `handoff`, for instance `handoff,bound`, or `all`. A backend whose JVM flag is
/// missing is an error that names the flag, not a skipped test. BOUND is one of all in modules that
/// depend on `rondo-addons-bound`; that module itself runs the tests of the core on BOUND. With
/// `-Drondo.test.required=bound` it is an error if it is missing, as in each module of Rondo but
/// the core.
@Documented
@Tag("every-backend")
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(BackendsToTest.class)
public @interface EveryBackend {}
