/// HTTP/1.1, HTTP/2 and WebSockets: Netty's codecs on the loop of a scheduler. A server has a task
/// for each request, and tasks make requests of their own; both read and write as blocking code
/// does. Begin with [HttpServer#builder] and [HttpClient].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.netty.http;

import org.jspecify.annotations.NullMarked;
