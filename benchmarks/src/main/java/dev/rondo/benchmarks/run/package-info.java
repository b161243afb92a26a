/// What runs the benchmarks, and makes tables and pictures of what they say: [Bench].
@NullMarked
package dev.rondo.benchmarks.run;

import org.jspecify.annotations.NullMarked;
