/// The room for work outside of the loop: calls that block, made on threads of their own, futures
/// that other threads complete, and the sleep of a loop in two sources of events, one of them on a
/// thread of its own.
///
/// It hangs on the methods of [Rooms][dev.rondo.scheduler.engine.Rooms] for it, and on
/// [dev.rondo.scheduler.Waitable], as an add-on does: a call and the completion of a future are
/// waits. Its threads reach the loop by [dev.rondo.scheduler.engine.Loop#postChange], and it counts
/// them as [dev.rondo.scheduler.engine.ExternalWork], so that tasks which wait for them are no
/// deadlock.
@NullMarked
package dev.rondo.scheduler.engine.outside;

import org.jspecify.annotations.NullMarked;
