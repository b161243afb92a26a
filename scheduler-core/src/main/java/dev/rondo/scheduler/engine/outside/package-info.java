/// The room for work outside of the loop: blocking calls, which are made on other threads; futures
/// that other threads complete; and the sleep of a loop in two sources of events, one of which has
/// a thread of its own.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and on
/// [dev.rondo.scheduler.Waitable], as an add-on does: a call and the completion of a future are
/// waits. Its threads reach the loop through [dev.rondo.scheduler.engine.Loop#post]. The room
/// counts these threads as [dev.rondo.scheduler.engine.ExternalWork], so that tasks which wait for
/// them are not a deadlock.
@NullMarked
package dev.rondo.scheduler.engine.outside;

import org.jspecify.annotations.NullMarked;
