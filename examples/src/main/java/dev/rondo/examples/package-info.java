/// Example programs, each runnable with `-Dexample=..` and covered by a test.
@NullMarked
package dev.rondo.examples;

import org.jspecify.annotations.NullMarked;
