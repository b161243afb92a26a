package dev.rondo.benchmarks.load;

import java.io.IOException;

/// What a generator has measured.
///
/// @param requests answered
/// @param perSecond of them
/// @param p50Micros the latency that half of them did not exceed
/// @param p99Micros that of 99 %
/// @param p999Micros that of 99.9 %
public record LoadReport(
    double requests, double perSecond, double p50Micros, double p99Micros, double p999Micros) {

  /// {@return this}
  ///
  /// @param who the server
  /// @throws IOException if it has answered nothing, as a cold one may in its first second
  LoadReport requireAnswers(String who) throws IOException {
    if (requests == 0) {
      throw new IOException(who + " has answered no request");
    }
    return this;
  }
}
