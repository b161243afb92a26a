/// Waiting for conditions: predicates that are looked at once per round, signals that somebody
/// sends, promises that somebody keeps, and locks that somebody has.
///
/// [WaitForCondition] and [WaitForSignal] are the add-ons; a [Cell] is a variable that predicates
/// can watch. A [Signal] is a signal as an object, with a type; a [QueuedSignal] is kept until
/// somebody takes it; a [CompositeSignal] is all or any of several; a [HandlerRegistration] is a
/// handler that one of them calls. A [Promise] is a result that comes once, for everybody.
///
/// A [Lock] is a [Mutex] or a side of a [ReadWriteLock]; a [Semaphore] has permits; a [Latch] opens
/// once, a [Barrier] again and again, and a [Phaser] for parties that come and go. All of them are
/// fair, and all are `Waitable`s: each wait can have a limit, be cancelled, or be a branch of a
/// select, and a wait that ends otherwise leaves nothing and takes nothing.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise, and what a task
/// does before it sends, fulfils or unlocks happens before what the woken task does after its wait.
@NullMarked
package dev.rondo.condition;

import org.jspecify.annotations.NullMarked;
