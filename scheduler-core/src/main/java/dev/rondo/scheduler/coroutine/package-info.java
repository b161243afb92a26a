/// Coroutine backends: how a stackful task is entered and left.
///
/// A [CoroutineBackend] makes [Coroutine]s; [CoroutineBackends] finds the three that Rondo brings
/// and chooses the default. Own backends implement both interfaces and prove themselves against
/// `dev.rondo.scheduler.testing.CoroutineContract`.
@NullMarked
package dev.rondo.scheduler.coroutine;

import org.jspecify.annotations.NullMarked;
