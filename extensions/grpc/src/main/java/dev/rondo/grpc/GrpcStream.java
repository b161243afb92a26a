package dev.rondo.grpc;

import dev.rondo.scheduler.Waitable;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client's call that sends a stream of requests. Made by [GrpcCalls#open].
///
/// Any number of tasks may send and receive. Confined to the scheduler's thread.
///
/// @param <Q> the type of the requests
/// @param <R> the type of the responses
public final class GrpcStream<Q, R> implements AutoCloseable {

  private final GrpcSink<Q> requests;
  private final GrpcSource<R> responses;
  private final StreamObserver<Q> call;

  GrpcStream(GrpcSink<Q> requests, GrpcSource<R> responses, StreamObserver<Q> call) {
    this.requests = requests;
    this.responses = responses;
    this.call = call;
  }

  /// Sends a request: waits until there is room, and hands it to the transport. A *possible*
  /// suspension point.
  ///
  /// @param request must not be changed
  /// @throws StatusRuntimeException if the call has ended
  public void send(Q request) {
    requests.send(Objects.requireNonNull(request, "request is null"));
  }

  /// {@return a wait until there is room for another request, or the call has ended}
  public Waitable<GrpcSink<Q>> sendable() {
    return requests.sendable();
  }

  /// Ends the requests. Nothing happens if the call has ended. Never a suspension point.
  ///
  /// @throws IllegalStateException if they have ended already
  public void end() {
    if (!requests.isOver()) {
      call.onCompleted();
    }
  }

  /// Receives a response. A *possible* suspension point.
  ///
  /// @return the response; null if the server has ended the call in order
  /// @throws StatusRuntimeException with the status of a call that has ended otherwise
  public @Nullable R receive() {
    return responses.receive();
  }

  /// {@return a wait for a response, which results in what [#receive()] returns} To be awaited with
  /// a limit or as a branch of a choice. A branch that is not taken receives nothing.
  public Waitable<@Nullable R> receiving() {
    return responses.receiving();
  }

  /// Cancels the call, unless it has ended. Never a suspension point.
  @Override
  public void close() {
    responses.close();
  }
}
