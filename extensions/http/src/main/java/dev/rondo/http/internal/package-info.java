/// What the server and the client of HTTP share, and no program uses.
@NullMarked
package dev.rondo.http.internal;

import org.jspecify.annotations.NullMarked;
