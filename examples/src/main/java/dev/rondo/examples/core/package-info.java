/// The scheduler by itself: what a program can do with tasks before any add-on is there.
@NullMarked
package dev.rondo.examples.core;

import org.jspecify.annotations.NullMarked;
