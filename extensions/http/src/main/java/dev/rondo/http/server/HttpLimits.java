package dev.rondo.http.server;

import dev.rondo.http.internal.Limits;
import java.time.Duration;

/// What clients may demand of a server. A time of centuries means for ever.
///
/// @param connections how many may be open at once, at least 1; further ones wait in the system's
///   backlog
/// @param streams how many a connection of HTTP/2 may have open at once, at least 1
/// @param requestLineBytes of a request's first line, at least 1; more is answered with status 414
/// @param headerBytes of a request's headers, and of its trailers, at least 1; more is answered
///   with status 431
/// @param bodyBytes of a request's body, at least 0; more is answered with status 413
/// @param allBodiesBytes of the bodies of all requests together that handlers read as a whole, at
///   least 0. Bytes count when they have arrived. A body that does not fit waits, and is answered
///   with status 503 after the time of `progress`. A connection has at most a quarter of the
///   memory, and a client's address at most half, except for a single body. A body that is read as
///   a stream does not count: at most 64 KiB of it are in memory. An incomplete message of a
///   WebSocket counts, too; if it does not fit, the socket ends with code 1013
/// @param head how long a new connection may take until the head of its first request is complete,
///   more than zero; then it is closed
/// @param idle how long a connection may be open between a response and the end of the next
///   request's head, more than zero; then it is closed
/// @param progress how long the client may take for each next part of a body, and to make room for
///   each part of a response, more than zero; a slower request is answered with status 408, and a
///   slower reader's connection is closed. After this time a body that is read as a whole must have
///   brought 1 KiB for each second since, and so must a message of a WebSocket, which otherwise
///   ends with code 1008
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
  /// @throws IllegalArgumentException if a limit is less than its least, see above
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

  /// {@return these limits with another one of connections}
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

  /// {@return these limits with another one of bodies}
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

  /// {@return these limits with others of time}
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
