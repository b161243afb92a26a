/// Child processes, for tasks: [WaitForProcess], [ChildProcess] and [ExitStatus].
@NullMarked
package dev.rondo.io.process;

import org.jspecify.annotations.NullMarked;
