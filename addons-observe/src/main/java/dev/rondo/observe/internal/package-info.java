/// The observers: dumps, the flight recorder, the MBean, the watchdog, metrics and limits. Not
/// exported.
///
/// They see a scheduler only through [dev.rondo.scheduler.addon.LoopView].
@NullMarked
package dev.rondo.observe.internal;

import org.jspecify.annotations.NullMarked;
