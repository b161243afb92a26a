package dev.rondo.scheduler.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs a test class once on every coroutine backend; on CONTINUATION once more with the resident
/// task. Two parameters come with it: the `CoroutineBackend`, and whether there may be a resident
/// task. [SchedulerTest] has it, and hands it down.
///
/// The system property `rondo.test.backends` narrows the choice of `continuation`,
/// `continuation-resident`, `bound` and `handoff`, for instance to `handoff,bound`. Without it a
/// backend whose JVM flag is missing is an error that names the flag, not a test left out.
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(BackendsToTest.class)
public @interface EveryBackend {}
