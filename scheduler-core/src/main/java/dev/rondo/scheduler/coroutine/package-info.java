/// Coroutine backends: how the scheduler enters and leaves a stackful task.
///
/// A [CoroutineBackend] makes [Coroutine]s. [CoroutineBackends] has the three backends of Rondo and
/// chooses the default. A backend of your own implements both interfaces and passes the test suite
/// `dev.rondo.scheduler.testing.CoroutineContract`.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.scheduler.coroutine;

import org.jspecify.annotations.NullMarked;
