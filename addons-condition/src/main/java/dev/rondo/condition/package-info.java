/// Waiting for conditions: predicates and signals.
///
/// [WaitForCondition] and [WaitForSignal] are the add-ons. A [Cell] is a variable that predicates
/// can watch. A [Signal] is a signal as an object, with a type; a [QueuedSignal] is kept until a
/// task takes it; a [CompositeSignal] is made of several. A [HandlerRegistration] is a handler that
/// runs when one of these events comes.
///
/// Locks, promises and other synchronizers are in `dev.rondo.condition.sync`, channels in
/// `dev.rondo.condition.channel`.
///
/// To make a thing call its static `create(scheduler, ..)`, the verb of `Scheduler.create()`: each
/// call makes a new object. Where there are several kinds, the kind is the verb:
/// `Channel.bounded(scheduler, 16)`. `on(scheduler)` returns the one add-on of a scheduler.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise, and what a task
/// does before it sends happens before what the woken task does after its wait.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.condition;

import org.jspecify.annotations.NullMarked;
