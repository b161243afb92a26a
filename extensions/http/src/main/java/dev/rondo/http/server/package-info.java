/// A server for HTTP/2, HTTP/1.1 and 1.0. A task answers each request, and reads and writes as
/// blocking code does. Begin with [HttpServer#builder].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.http.server;

import org.jspecify.annotations.NullMarked;
