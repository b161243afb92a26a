/// Runs the benchmarks and turns their results into tables and pictures: [Bench].
@NullMarked
package dev.rondo.benchmarks.run;

import org.jspecify.annotations.NullMarked;
