/// Counts the calls that one wait takes: [Calls].
@NullMarked
package dev.rondo.benchmarks.calls;

import org.jspecify.annotations.NullMarked;
