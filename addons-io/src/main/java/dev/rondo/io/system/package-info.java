/// The operating system: its signals, [WaitForOsSignal], and its state, [SystemInfo].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.system;

import org.jspecify.annotations.NullMarked;
