/// Standard input and output, [StandardStreams], and terminals, [TaskTerminal], for tasks.
/// Terminals require the library `org.jline:jline`.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.terminal;

import org.jspecify.annotations.NullMarked;
