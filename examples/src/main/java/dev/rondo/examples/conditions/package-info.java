/// Waits besides time and IO: for predicates, signals, synchronizers, pipelines, and messages of
/// other loops.
@NullMarked
package dev.rondo.examples.conditions;

import org.jspecify.annotations.NullMarked;
