package dev.rondo.http.client;

import dev.rondo.http.internal.Limits;
import java.time.Duration;

/// The limits of a client, and of the responses of its servers.
///
/// @param connections the most connections that may be open at once, at least 1; at this limit
///   requests wait, first come, first served
/// @param connectionsPerOrigin the most connections to one scheme, host and port, at least 1
/// @param statusLineBytes the most bytes of a response's first line, at least 1
/// @param headerBytes the most bytes of a response's headers, and of its trailers, at least 1
/// @param bodyBytes the most bytes of a response's body, both as it was sent and decompressed, at
///   least 0
/// @param redirects the most redirects that a request follows, at least 0; one more fails
/// @param connect the time to open a connection, more than zero: to look up the name, to connect,
///   and for the handshakes of TLS and HTTP/2
/// @param response the time from the end of a request to the end of the response's head, more than
///   zero
/// @param progress the time that a server has for each part of a body, and to make room for each
///   part of a request, more than zero. After this time a body that is read as a whole must keep a
///   pace of 1 KiB a second
/// @param idle the time that a connection stays open for further requests, more than zero
public record HttpClientLimits(
    int connections,
    int connectionsPerOrigin,
    int statusLineBytes,
    int headerBytes,
    long bodyBytes,
    int redirects,
    Duration connect,
    Duration response,
    Duration progress,
    Duration idle) {

  /// 100 connections, 10 to each origin; status lines of 4 KiB, headers of 16 KiB, bodies of 16
  /// MiB; 10 redirects; 10 s to connect, 60 s for the head of a response, 30 s for each part of a
  /// body, and 30 s between requests.
  public static final HttpClientLimits USUAL =
      new HttpClientLimits(
          100,
          10,
          4 << 10,
          16 << 10,
          16 << 20,
          10,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if a limit is below its minimum, see above
  public HttpClientLimits {
    Limits.requireAtLeast("connections", connections, 1);
    Limits.requireAtLeast("connectionsPerOrigin", connectionsPerOrigin, 1);
    Limits.requireAtLeast("statusLineBytes", statusLineBytes, 1);
    Limits.requireAtLeast("headerBytes", headerBytes, 1);
    Limits.requireAtLeast("bodyBytes", bodyBytes, 0);
    Limits.requireAtLeast("redirects", redirects, 0);
    connect = Limits.some("connect", connect);
    response = Limits.some("response", response);
    progress = Limits.some("progress", progress);
    idle = Limits.some("idle", idle);
  }

  /// {@return these limits with other limits of connections}
  ///
  /// @param most at least 1
  /// @param mostPerOrigin at least 1
  public HttpClientLimits withConnections(int most, int mostPerOrigin) {
    return new HttpClientLimits(
        most,
        mostPerOrigin,
        statusLineBytes,
        headerBytes,
        bodyBytes,
        redirects,
        connect,
        response,
        progress,
        idle);
  }

  /// {@return these limits with another limit of bodies}
  ///
  /// @param most at least 0
  public HttpClientLimits withBodyBytes(long most) {
    return new HttpClientLimits(
        connections,
        connectionsPerOrigin,
        statusLineBytes,
        headerBytes,
        most,
        redirects,
        connect,
        response,
        progress,
        idle);
  }

  /// {@return these limits with other limits of time}
  ///
  /// @param connect see [HttpClientLimits#connect()]
  /// @param response see [HttpClientLimits#response()]
  /// @param progress see [HttpClientLimits#progress()]
  /// @param idle see [HttpClientLimits#idle()]
  /// @throws IllegalArgumentException if one of them is not positive
  public HttpClientLimits withTimes(
      Duration connect, Duration response, Duration progress, Duration idle) {
    return new HttpClientLimits(
        connections,
        connectionsPerOrigin,
        statusLineBytes,
        headerBytes,
        bodyBytes,
        redirects,
        connect,
        response,
        progress,
        idle);
  }
}
