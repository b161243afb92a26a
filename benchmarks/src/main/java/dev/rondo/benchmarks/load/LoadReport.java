package dev.rondo.benchmarks.load;

import java.io.IOException;

/// The measurements of a generator.
///
/// @param requests the number of answered requests
/// @param perSecond the answered requests per second
/// @param p50Micros the latency that half of the requests did not exceed
/// @param p99Micros the latency that 99 % did not exceed
/// @param p999Micros the latency that 99.9 % did not exceed
public record LoadReport(
    double requests, double perSecond, double p50Micros, double p99Micros, double p999Micros) {

  /// {@return this}
  ///
  /// @param who the server
  /// @throws IOException if the server has answered no request, as may happen in the first second
  ///   of a cold server
  LoadReport requireAnswers(String who) throws IOException {
    if (requests == 0) {
      throw new IOException(who + " has answered no request");
    }
    return this;
  }
}
