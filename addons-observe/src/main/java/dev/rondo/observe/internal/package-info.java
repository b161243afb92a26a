/// The observers: dumps, the recorder, the flight recorder, the MBeans, the watchdog, metrics and
/// limits. Exported to other modules of Rondo only.
///
/// They see a scheduler only through [dev.rondo.scheduler.internal.rooms.LoopView].
@NullMarked
package dev.rondo.observe.internal;

import org.jspecify.annotations.NullMarked;
