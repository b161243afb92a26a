/// Benchmarks with JMH, and load programs.
@NullMarked
package dev.rondo.benchmarks;

import org.jspecify.annotations.NullMarked;
