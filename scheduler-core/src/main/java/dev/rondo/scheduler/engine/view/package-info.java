/// The room of the observers of a loop and its tasks: descriptions and reports in plain text, the
/// view that observers have of a loop, the listeners of a program, the contexts of libraries, and
/// the checks of `debug()`.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and on
/// [dev.rondo.scheduler.engine.Rooms.TurnHooks], which call the objects that this room opens: an
/// [dev.rondo.scheduler.addon.Instrument] of a module, or a listener of the program.
@NullMarked
package dev.rondo.scheduler.engine.view;

import org.jspecify.annotations.NullMarked;
