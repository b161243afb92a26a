/// Counts the calls of one wait: [Calls].
@NullMarked
package dev.rondo.benchmarks.calls;

import org.jspecify.annotations.NullMarked;
