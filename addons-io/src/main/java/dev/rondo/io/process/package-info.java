/// Child processes, for tasks: [WaitForProcess], [ChildProcess] and [ExitStatus].
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.process;

import org.jspecify.annotations.NullMarked;
