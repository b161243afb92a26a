/// Programs that use the operating system: files, processes, signals and the terminal.
@NullMarked
package dev.rondo.examples.system;

import org.jspecify.annotations.NullMarked;
