/// The operating system: its signals, [WaitForOsSignal], and its state, [SystemInfo].
@NullMarked
package dev.rondo.io.system;

import org.jspecify.annotations.NullMarked;
