/// A client for HTTP/2, HTTP/1.1 and 1.0. Tasks send requests, and read and write as blocking code
/// does. Begin with [HttpClient].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.http.client;

import org.jspecify.annotations.NullMarked;
