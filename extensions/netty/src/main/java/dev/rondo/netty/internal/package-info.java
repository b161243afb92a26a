/// Parts that the channels, HTTP and gRPC share. No program uses them.
@NullMarked
package dev.rondo.netty.internal;

import org.jspecify.annotations.NullMarked;
