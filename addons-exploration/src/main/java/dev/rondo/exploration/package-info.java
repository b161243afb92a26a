/// The choices of a run: the strategies that make them, the search for runs that fail, and their
/// shrinking and replay.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.exploration;

import org.jspecify.annotations.NullMarked;
