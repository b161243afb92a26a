/// The pieces put together.
@NullMarked
package dev.rondo.application;

import org.jspecify.annotations.NullMarked;
