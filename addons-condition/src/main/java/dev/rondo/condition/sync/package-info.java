/// Locks and other synchronizers for tasks, as `java.util.concurrent` has them for threads.
///
/// A [Lock] is a [Mutex] or a side of a [ReadWriteLock]; a [Semaphore] has permits; a [Latch] opens
/// once, a [Barrier] repeatedly, and a [Phaser] synchronizes parties that come and go. All of them
/// are fair, and all are `Waitable`s: each wait can have a limit, be cancelled, or be a branch of a
/// select. A wait that ends without its event leaves nothing behind and takes nothing.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise, and what a task
/// does before it unlocks, releases or counts down happens before what the woken task does after
/// its wait.
@NullMarked
package dev.rondo.condition.sync;

import org.jspecify.annotations.NullMarked;
