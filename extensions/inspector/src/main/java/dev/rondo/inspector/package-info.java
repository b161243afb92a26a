/// The inspector: a web page that shows the activity of the process's loops, see
/// [dev.rondo.application.ApplicationBuilder#inspector(int)]. Not exported.
///
/// The inspector runs on threads of its own, because it must answer even if a loop does not. It
/// asks the loops through [dev.rondo.observe.internal.LoopMonitor].
@NullMarked
package dev.rondo.inspector;

import org.jspecify.annotations.NullMarked;
