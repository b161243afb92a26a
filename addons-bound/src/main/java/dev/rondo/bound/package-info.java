/// The coroutine backend BOUND: virtual threads whose scheduler is the loop, and helper threads
/// that run the loop's other code.
@NullMarked
package dev.rondo.bound;

import org.jspecify.annotations.NullMarked;
