/// Classic concurrency bugs, and the effort to find them.
@NullMarked
package dev.rondo.benchmarks.bugs;

import org.jspecify.annotations.NullMarked;
