/// What the channels and the HTTP server share, and no program uses.
@NullMarked
package dev.rondo.netty.internal;

import org.jspecify.annotations.NullMarked;
