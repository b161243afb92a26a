package dev.rondo.grpc;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/// A call of a client, as the stub calls it back.
///
/// @param <Q> the type of the requests
/// @param <R> the type of the responses
final class ClientCall<Q, R> implements ClientResponseObserver<Q, R> {

  private static final Status CLOSED =
      Status.CANCELLED.withDescription("the client has closed the call");

  private final CallLoop loop;
  private final GrpcSink<Q> requests;
  private final GrpcSource<R> responses;
  private @Nullable ClientCallStreamObserver<Q> call;
  private boolean over;

  ClientCall(CallLoop loop) {
    this.loop = loop;
    this.requests = new GrpcSink<>(loop);
    this.responses = new GrpcSource<>(loop, this::ask, this::cancel);
  }

  GrpcSink<Q> requests() {
    return requests;
  }

  GrpcSource<R> responses() {
    return responses;
  }

  private void ask() {
    ClientCallStreamObserver<Q> begun = call;
    if (begun != null && !over) {
      begun.request(1);
    }
  }

  private void cancel() {
    ClientCallStreamObserver<Q> begun = call;
    if (begun != null && !over) {
      ended(CLOSED.asRuntimeException());
      begun.cancel(CLOSED.getDescription(), null);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> begun) {
    call = begun;
    begun.disableAutoRequestWithInitial(0);
    requests.bind(begun);
  }

  @Override
  public void onNext(R response) {
    loop.run(() -> responses.arrived(response));
  }

  @Override
  public void onError(Throwable failure) {
    loop.run(() -> ended(failure));
  }

  @Override
  public void onCompleted() {
    loop.run(() -> ended(null));
  }

  private void ended(@Nullable Throwable failure) {
    over = true;
    responses.end(failure);
    requests.end(
        failure == null
            ? Status.CANCELLED.withDescription("the server has ended the call")
            : Status.fromThrowable(failure));
  }
}
