/// The load programs: their generators and measurements.
@NullMarked
package dev.rondo.benchmarks.load;

import org.jspecify.annotations.NullMarked;
