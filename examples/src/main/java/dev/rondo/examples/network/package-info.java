/// Programs with sockets: datagrams, Unix sockets, TLS, HTTP and gRPC.
@NullMarked
package dev.rondo.examples.network;

import org.jspecify.annotations.NullMarked;
