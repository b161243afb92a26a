package dev.rondo.grpc;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/// A call of a client, as the stub calls it back.
///
/// @param <Q> the type of the requests
/// @param <R> the type of the responses
final class ClientCall<Q, R> implements ClientResponseObserver<Q, R> {

  private static final String CANCELLED = "the client has cancelled the call";

  private final CallLoop loop;
  private final GrpcSink<Q> requests;
  private final GrpcSource<R> responses;
  private @Nullable ClientCallStreamObserver<Q> call;
  private boolean over;

  ClientCall(CallLoop loop) {
    this.loop = loop;
    this.requests = new GrpcSink<>(loop, this::endOfRequests);
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

  private void endOfRequests(@Nullable Throwable cause) {
    ClientCallStreamObserver<Q> begun = call;
    if (cause != null) {
      cancel(cause);
    } else if (begun != null && !over) {
      begun.onCompleted();
    }
  }

  private void cancel(@Nullable Throwable cause) {
    ClientCallStreamObserver<Q> begun = call;
    if (begun != null && !over) {
      ended(CallEnd.early(CANCELLED, cause));
      begun.cancel(CANCELLED, cause);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> begun) {
    call = begun;
    begun.disableAutoRequestWithInitial(1);
    responses.askedAlready();
    requests.bind(begun);
  }

  @Override
  public void onNext(R response) {
    loop.run(() -> responses.arrived(response));
  }

  @Override
  public void onError(Throwable failure) {
    CallEnd end = CallEnd.early("the call has failed", failure);
    loop.run(() -> ended(end));
  }

  @Override
  public void onCompleted() {
    CallEnd end = CallEnd.orderly("the server has ended the call");
    loop.run(() -> ended(end));
  }

  private void ended(CallEnd end) {
    over = true;
    responses.end(end);
    requests.end(end);
  }
}
