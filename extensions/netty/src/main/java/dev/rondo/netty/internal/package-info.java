/// What the channels, HTTP and gRPC share, and no program uses.
@NullMarked
package dev.rondo.netty.internal;

import org.jspecify.annotations.NullMarked;
