/// The load programs: what they send, and what they measure.
@NullMarked
package dev.rondo.benchmarks.load;

import org.jspecify.annotations.NullMarked;
