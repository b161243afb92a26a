/// Locks and other synchronizers for tasks, as `java.util.concurrent` has them for threads.
///
/// A [Lock] is a [Mutex] or a side of a [ReadWriteLock]; a [Semaphore] has permits; a [Latch] opens
/// once, a [Barrier] repeatedly, and a [Phaser] synchronizes parties that come and go. A [Promise]
/// is a result that is set once. All of them are fair, and all are `Waitable`s: each wait can have
/// a limit, be cancelled, or be a branch of a select. A wait that ends without its event takes
/// nothing and leaves nothing behind.
///
/// `tryLock` and `tryAcquire` return null when there is nothing to take. That costs no object and
/// suits a try-with-resources. Other results that may be absent are `Optional`s.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise. The actions of a
/// task before it unlocks, releases, fulfils or counts down happen before the actions of the woken
/// task after its wait.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.condition.sync;

import org.jspecify.annotations.NullMarked;
