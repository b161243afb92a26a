/// The inspector: a web page of what the loops of the process are doing, see
/// [dev.rondo.application.ApplicationBuilder#inspector(int)]. Not exported.
///
/// It runs on threads of its own, because it has to answer while a loop does not, and asks the
/// loops as other tools do, through [dev.rondo.observe.LoopMonitor].
@NullMarked
package dev.rondo.inspector;

import org.jspecify.annotations.NullMarked;
