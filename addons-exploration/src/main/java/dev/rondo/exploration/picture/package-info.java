/// Recordings as people look at them: text, sequence diagrams, pages for a browser.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.exploration.picture;

import org.jspecify.annotations.NullMarked;
