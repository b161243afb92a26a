/// Applications inside the event loop of a user interface, with their tasks on the UI thread:
/// [Swing], [JavaFx], and [UiHost] for others.
@NullMarked
package dev.rondo.application.ui;

import org.jspecify.annotations.NullMarked;
