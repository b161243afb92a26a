/// Channels: tasks pass elements to each other, with back-pressure.
///
/// A [Channel] connects senders and receivers; its kind determines what lies between them: nothing
/// (rendezvous), a buffer with or without a bound, or only the latest element. A [Broadcast] passes
/// every element to every [Subscription]. The two sides are a [dev.rondo.scheduler.SendChannel] and
/// a [Receiver]. The stages of a pipeline (`map`, `filter`, `merge`, `batch` and so on) turn a
/// [Receiver] into another receiver.
///
/// After C. A. R. Hoare, *Communicating sequential processes* (1978), with the closing rules of Go
/// and of kotlinx.coroutines.
///
/// `tryReceive` returns null when there is no element, which costs no object; other results that
/// may be absent are `Optional`s.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.condition.channel;

import org.jspecify.annotations.NullMarked;
