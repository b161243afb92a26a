/// Applications inside the event loop of a user interface, with their tasks on the UI thread: for
/// [Swing], [JavaFx], and by [UiHost] for other toolkits.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.ui;

import org.jspecify.annotations.NullMarked;
