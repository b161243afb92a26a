/// Finds the files that a server sends. No program uses this package.
@NullMarked
package dev.rondo.http.files.internal;

import org.jspecify.annotations.NullMarked;
