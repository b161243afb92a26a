/// The room of the backend HANDOFF.
///
/// It hangs on the seam [CoroutineBackend][dev.rondo.scheduler.coroutine.CoroutineBackend].
/// [CoroutineBackends][dev.rondo.scheduler.coroutine.CoroutineBackends] finds its class by name.
/// Without this room a scheduler needs a JVM flag, for CONTINUATION or BOUND.
@NullMarked
package dev.rondo.scheduler.coroutine.handoff;

import org.jspecify.annotations.NullMarked;
