/// [Application]: a scheduler with the add-ons for time, conditions, signals and IO. [Rondo] has
/// its methods without an object, [ApplicationBuilder] its settings, and [ExitCode] what the
/// process ends with. A [LoopGroup] is one program on several threads, each with an application of
/// its own.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.application;

import org.jspecify.annotations.NullMarked;
