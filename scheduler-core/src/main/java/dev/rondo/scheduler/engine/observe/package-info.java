/// The observers: dumps, the flight recorder, the MBean, the watchdog, metrics and limits. Not
/// exported.
///
/// They see the engine only through [LoopView], which the engine implements once. The engine opens
/// each [Instrument] and calls the listener that it returns.
@NullMarked
package dev.rondo.scheduler.engine.observe;

import org.jspecify.annotations.NullMarked;
