/// Parts that the HTTP server and client share. No program uses them.
@NullMarked
package dev.rondo.http.internal;

import org.jspecify.annotations.NullMarked;
