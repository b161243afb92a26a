/// Recordings as people look at them: text, sequence diagrams, pages for a browser.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.exploration.picture;

import org.jspecify.annotations.NullMarked;
