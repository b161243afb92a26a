/// What tasks wait for besides time and IO: predicates, signals, synchronizers, pipelines, and
/// messages of other loops.
@NullMarked
package dev.rondo.examples.conditions;

import org.jspecify.annotations.NullMarked;
