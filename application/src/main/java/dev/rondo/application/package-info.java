/// The pieces put together: [Application], and its words without an object in [Rondo].
@NullMarked
package dev.rondo.application;

import org.jspecify.annotations.NullMarked;
