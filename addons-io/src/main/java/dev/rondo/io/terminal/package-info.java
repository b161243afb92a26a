/// Standard input and output, [StandardStreams], and terminals, [TaskTerminal], for tasks.
/// Terminals require the library `org.jline:jline`.
@NullMarked
package dev.rondo.io.terminal;

import org.jspecify.annotations.NullMarked;
