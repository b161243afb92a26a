/// Classic concurrency bugs, and what it takes to find them.
@NullMarked
package dev.rondo.benchmarks.bugs;

import org.jspecify.annotations.NullMarked;
