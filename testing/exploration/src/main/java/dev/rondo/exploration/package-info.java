/// The choices of a run: the strategies that make them, the search for runs that fail, and their
/// shrinking and replay.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.exploration;

import org.jspecify.annotations.NullMarked;
