/// Waiting for conditions: predicates and signals.
///
/// [WaitForCondition] and [WaitForSignal] are the add-ons. A [Cell] is a variable that predicates
/// can watch. A [Signal] is a signal as an object, with a type; a [QueuedSignal] is kept until a
/// task takes it; a [CompositeSignal] is made of several events. A [HandlerRegistration] is a
/// handler that runs when one of these events comes.
///
/// Locks, promises and other synchronizers are in `dev.rondo.condition.sync`, channels in
/// `dev.rondo.condition.channel`.
///
/// A constructor takes the scheduler first, as in `new QueuedSignal<>(scheduler, "jobs")`. A class
/// of several kinds has a static method for each, such as `Channel.bounded(scheduler, 16)`. The
/// method `on(scheduler)` of an add-on returns the scheduler's only instance of it.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise. The actions of a
/// task before it sends happen before the actions of the woken task after its wait.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.condition;

import org.jspecify.annotations.NullMarked;
