package dev.rondo.http.server;

import dev.rondo.http.internal.Limits;
import java.time.Duration;

/// The limits of a server for its clients. A time of centuries means for ever.
///
/// @param connections the most connections that may be open at once, at least 1; further
///   connections wait, up to 15 of them accepted, and the others in the system's backlog
/// @param streams the most streams that an HTTP/2 connection may have open at once, at least 1
/// @param requestLineBytes the most bytes of a request's first line, at least 1; a longer line is
///   answered with status 414
/// @param headerBytes the most bytes of a request's headers, and of its trailers, at least 1; more
///   bytes are answered with status 431
/// @param bodyBytes the most bytes of a request's body, at least 0; a longer body is answered with
///   status 413
/// @param allBodiesBytes the most bytes of all bodies together that handlers read as a whole, at
///   least 0. Bytes count when they have arrived. A body that does not fit waits, and is answered
///   with status 503 after the time of `progress`. A connection has at most a quarter of the
///   memory, and a client's address at most half, except for a single body. A body that is read as
///   a stream does not count, because at most 64 KiB of it are in memory. An incomplete WebSocket
///   message counts too; if it does not fit, the socket ends with code 1013
/// @param head the time from the beginning of a connection to the end of the first request's head,
///   more than zero; a slower connection is closed
/// @param idle the time from a response to the end of the next request's head, more than zero; a
///   slower connection is closed
/// @param progress the time that a client has for each part of a body, and to make room for each
///   part of a response, more than zero; a slower request is answered with status 408, and a slower
///   reader's connection is closed. After this time a body that is read as a whole must keep a pace
///   of 1 KiB a second. A WebSocket message must keep the same pace; otherwise the socket ends with
///   code 1008
public record HttpLimits(
    int connections,
    int streams,
    int requestLineBytes,
    int headerBytes,
    long bodyBytes,
    long allBodiesBytes,
    Duration head,
    Duration idle,
    Duration progress) {

  /// 10,000 connections with 100 streams each, lines and headers of 8 KiB each, bodies of 1 MiB,
  /// and of 64 MiB together; 10 s for the first head, 60 s between requests, 30 s for each part of
  /// a body.
  public static final HttpLimits USUAL =
      new HttpLimits(
          10_000,
          100,
          8 << 10,
          8 << 10,
          1 << 20,
          64 << 20,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if a limit is below its minimum, see above
  public HttpLimits {
    Limits.requireAtLeast("connections", connections, 1);
    Limits.requireAtLeast("streams", streams, 1);
    Limits.requireAtLeast("requestLineBytes", requestLineBytes, 1);
    Limits.requireAtLeast("headerBytes", headerBytes, 1);
    Limits.requireAtLeast("bodyBytes", bodyBytes, 0);
    Limits.requireAtLeast("allBodiesBytes", allBodiesBytes, 0);
    head = Limits.some("head", head);
    idle = Limits.some("idle", idle);
    progress = Limits.some("progress", progress);
  }

  /// {@return these limits with another limit of connections}
  ///
  /// @param most at least 1
  public HttpLimits withConnections(int most) {
    return new HttpLimits(
        most,
        streams,
        requestLineBytes,
        headerBytes,
        bodyBytes,
        allBodiesBytes,
        head,
        idle,
        progress);
  }

  /// {@return these limits with another limit of bodies}
  ///
  /// @param most at least 0
  public HttpLimits withBodyBytes(long most) {
    return new HttpLimits(
        connections,
        streams,
        requestLineBytes,
        headerBytes,
        most,
        allBodiesBytes,
        head,
        idle,
        progress);
  }

  /// {@return these limits with other limits of time}
  ///
  /// @param head see [HttpLimits#head()]
  /// @param idle see [HttpLimits#idle()]
  /// @param progress see [HttpLimits#progress()]
  /// @throws IllegalArgumentException if one of them is not positive
  public HttpLimits withTimes(Duration head, Duration idle, Duration progress) {
    return new HttpLimits(
        connections,
        streams,
        requestLineBytes,
        headerBytes,
        bodyBytes,
        allBodiesBytes,
        head,
        idle,
        progress);
  }
}
