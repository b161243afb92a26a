package dev.rondo.examples;

import java.time.Duration;

/// The limits of a [TinyHttpServer].
///
/// @param connections the most open connections; further connections wait in the system's backlog
/// @param lineBytes the length of the request line, and of each header
/// @param headers the number of headers in a request
/// @param bodyBytes the length of a decoded request body
/// @param allBodyBytes the length of all decoded request bodies together, until they are answered
/// @param idle the time that a connection may stay open without a request
/// @param header the time for a request's head from its first byte on, and for the wait for body
///   memory
/// @param body the time for a request's body
/// @param write the time that a write may wait for the client
record TinyHttpLimits(
    int connections,
    int lineBytes,
    int headers,
    int bodyBytes,
    int allBodyBytes,
    Duration idle,
    Duration header,
    Duration body,
    Duration write) {

  TinyHttpLimits {
    if (allBodyBytes < bodyBytes) {
      throw new IllegalArgumentException(
          "all bodies must have room for one: bodyBytes=%d, allBodyBytes=%d"
              .formatted(bodyBytes, allBodyBytes));
    }
  }

  static final TinyHttpLimits USUAL =
      new TinyHttpLimits(
          1000,
          8 * 1024,
          100,
          1024 * 1024,
          32 * 1024 * 1024,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));
}
