/// Finds the files that a server sends; no program uses it.
@NullMarked
package dev.rondo.http.files.internal;

import org.jspecify.annotations.NullMarked;
