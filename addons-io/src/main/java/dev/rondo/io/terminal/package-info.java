/// Standard input and output, [StandardStreams], and terminals, [TaskTerminal], for tasks.
/// Terminals require the library `org.jline:jline`.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.terminal;

import org.jspecify.annotations.NullMarked;
