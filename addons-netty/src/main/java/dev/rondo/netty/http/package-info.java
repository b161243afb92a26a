/// A server of HTTP/1.1: Netty's codec on the loop of a scheduler, and a task for each request that
/// reads and writes as blocking code does. Begin with [HttpServer#builder].
@NullMarked
package dev.rondo.netty.http;

import org.jspecify.annotations.NullMarked;
