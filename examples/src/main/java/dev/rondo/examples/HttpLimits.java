package dev.rondo.examples;

import java.time.Duration;

/// What one client may cost an [HttpServer].
///
/// @param connections open at once; more wait in the system's backlog
/// @param lineBytes of the request line, and of each header
/// @param headers in a request
/// @param bodyBytes in a request, once decoded
/// @param idle how long a connection may be kept without a request
/// @param header how long a request's head may take from its first byte on
/// @param body how long a request's body may take
/// @param write how long a client may take nothing of what is sent to it
record HttpLimits(
    int connections,
    int lineBytes,
    int headers,
    int bodyBytes,
    Duration idle,
    Duration header,
    Duration body,
    Duration write) {

  static final HttpLimits USUAL =
      new HttpLimits(
          1000,
          8 * 1024,
          100,
          1024 * 1024,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));
}
