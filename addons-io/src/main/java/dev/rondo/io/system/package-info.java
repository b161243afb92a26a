/// The operating system: its signals, [WaitForOsSignal], and what it says of itself, [SystemInfo].
@NullMarked
package dev.rondo.io.system;

import org.jspecify.annotations.NullMarked;
