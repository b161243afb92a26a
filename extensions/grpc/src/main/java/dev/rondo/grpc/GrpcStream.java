package dev.rondo.grpc;

import static java.util.Objects.requireNonNull;

/// A client's call that sends a stream of requests. Made by [GrpcCalls#open].
///
/// Any number of tasks may send and receive. Confined to the scheduler's thread.
///
/// @param <Q> the type of the requests
/// @param <R> the type of the responses
/// @param requests of this client; the client closes them after the last one
/// @param responses of the server, one or several
public record GrpcStream<Q, R>(GrpcSink<Q> requests, GrpcSource<R> responses)
    implements AutoCloseable {

  /// For [GrpcCalls#open].
  public GrpcStream {
    requireNonNull(requests, "requests is null");
    requireNonNull(responses, "responses is null");
  }

  /// Cancels the call, unless it has ended. Never a suspension point.
  @Override
  public void close() {
    responses.close();
  }
}
