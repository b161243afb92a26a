/// [Application]: a scheduler with the add-ons for time, conditions, signals and IO. [Rondo] has
/// its methods without an object, [ApplicationBuilder] has its settings, and [ExitCode] has the
/// exit codes of the process. A [LoopGroup] is one program on several threads, each with an
/// application of its own.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.application;

import org.jspecify.annotations.NullMarked;
