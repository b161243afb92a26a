/// Waiting for time: sleeps, timers, deadlines, and a virtual clock to test them with.
///
/// [WaitForTime] is the add-on; [VirtualClock] replaces the system's clock in tests, with the same
/// code behind it.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
@NullMarked
package dev.rondo.time;

import org.jspecify.annotations.NullMarked;
