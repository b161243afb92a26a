/// Coroutine backends: how the scheduler enters and leaves a stackful task.
///
/// A [CoroutineBackend] makes [Coroutine]s. [CoroutineBackends] has the three of Rondo and chooses
/// the default. A backend of your own implements both interfaces and passes the test suite
/// `dev.rondo.scheduler.testing.CoroutineContract`.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.scheduler.coroutine;

import org.jspecify.annotations.NullMarked;
