/// The operating system: its signals, [WaitForOsSignal], and its state, [SystemInfo].
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.system;

import org.jspecify.annotations.NullMarked;
