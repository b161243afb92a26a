/// The window of the example MultiTaskUi.
@NullMarked
package dev.rondo.examples.window;

import org.jspecify.annotations.NullMarked;
