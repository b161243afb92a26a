package dev.rondo.io;

import dev.rondo.scheduler.testing.BackendsDiffer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// A test that takes an [IoRig], and runs once for each backend to be tested; see [BackendsDiffer].
@ParameterizedTest
@ArgumentsSource(RigsToTest.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnEveryBackend {}
