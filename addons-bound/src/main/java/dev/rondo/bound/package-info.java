/// The coroutine backend BOUND: virtual threads whose scheduler is the loop, and the threads that
/// run the rest of a loop's code.
@NullMarked
package dev.rondo.bound;

import org.jspecify.annotations.NullMarked;
