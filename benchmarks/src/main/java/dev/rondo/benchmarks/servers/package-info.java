/// The servers that the load programs compare, one to a process.
@NullMarked
package dev.rondo.benchmarks.servers;

import org.jspecify.annotations.NullMarked;
