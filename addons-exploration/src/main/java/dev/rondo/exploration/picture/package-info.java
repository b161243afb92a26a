/// Recordings as people look at them: text, sequence diagrams, pages for a browser.
@NullMarked
package dev.rondo.exploration.picture;

import org.jspecify.annotations.NullMarked;
