/// Applications inside the event loop of a user interface, with their tasks on the UI thread: for
/// [Swing], [JavaFx], and by [UiHost] for other toolkits.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.application.ui;

import org.jspecify.annotations.NullMarked;
