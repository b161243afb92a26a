/// Waiting for time: sleeps, timers, deadlines, and a virtual clock for tests.
///
/// [WaitForTime] is the add-on. [VirtualClock] replaces the system's clock in tests; the code that
/// it tests stays the same.
///
/// A span of time is a [java.time.Duration] of at least zero. An instant is a [Deadline] on the
/// scheduler's clock, or a [java.time.Instant] on the [WallClock]. Only the interfaces between a
/// scheduler and its add-ons, such as `TimerService`, pass instants as `long deadlineNanos`.
///
/// An object that belongs to a scheduler is made by a constructor or a static method that takes the
/// scheduler first, such as `new RateLimiter(scheduler, ..)`. The method `on(scheduler)` of an
/// add-on returns the scheduler's only instance of it.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.time;

import org.jspecify.annotations.NullMarked;
