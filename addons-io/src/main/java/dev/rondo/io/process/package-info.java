/// Child processes, for tasks: [WaitForProcess], [ChildProcess] and [ExitStatus].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.process;

import org.jspecify.annotations.NullMarked;
