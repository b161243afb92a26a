/// Channels: how tasks hand elements to each other, with back-pressure.
///
/// A [Channel] is sent to and received from; what lies between is its kind: nothing (rendezvous), a
/// buffer with or without a bound, or the latest element only. A [Broadcast] hands every element to
/// every [Subscription]. [Sender] and [Receiver] are the two sides; a [Receiver] can be turned into
/// another one by the stages of a pipeline (`map`, `filter`, `merge`, `batch` and so on).
///
/// After C. A. R. Hoare, *Communicating sequential processes* (1978), with the closing rules of Go
/// and of kotlinx.coroutines.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
@NullMarked
package dev.rondo.condition.channel;

import org.jspecify.annotations.NullMarked;
