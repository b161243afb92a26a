/// Applications inside the event loop of a user interface, with their tasks on the UI thread.
/// [Swing] and [JavaFx] provide hosts; [UiHost] supports other toolkits.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.ui;

import org.jspecify.annotations.NullMarked;
