/// Applications inside the event loop of a user interface, with their tasks on the UI thread: for
/// [Swing], [JavaFx], and by [UiHost] for other toolkits.
@NullMarked
package dev.rondo.application.ui;

import org.jspecify.annotations.NullMarked;
