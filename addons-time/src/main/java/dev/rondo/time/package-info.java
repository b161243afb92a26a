/// Waiting for time: sleeps, timers, deadlines, and a virtual clock to test them with.
///
/// [WaitForTime] is the add-on; [VirtualClock] replaces the system's clock in tests, with the same
/// code behind it.
///
/// To make a thing call its static `create(scheduler, ..)`, the verb of `Scheduler.create()`: each
/// call makes a new object. `on(scheduler)` returns the one add-on of a scheduler.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
@NullMarked
package dev.rondo.time;

import org.jspecify.annotations.NullMarked;
