package dev.rondo.grpc;

import com.google.protobuf.ByteString;
import dev.rondo.grpc.numbers.Number;
import dev.rondo.grpc.numbers.NumbersGrpc;
import io.grpc.stub.StreamObserver;

/// A method of each kind, in straight-line code.
class NumbersService extends NumbersGrpc.NumbersImplBase {

  static final int BALLAST_BYTES = 10_000;

  private static final ByteString BALLAST = ByteString.copyFrom(new byte[BALLAST_BYTES]);

  private final GrpcCalls calls;

  NumbersService(GrpcCalls calls) {
    this.calls = calls;
  }

  static Number number(long value) {
    return Number.newBuilder().setValue(value).build();
  }

  /// A message that fills buffers soon.
  static Number large(long value) {
    return Number.newBuilder().setValue(value).setBallast(BALLAST).build();
  }

  @Override
  public void square(Number request, StreamObserver<Number> responses) {
    calls.unary(responses, () -> number(request.getValue() * request.getValue()));
  }

  @Override
  public StreamObserver<Number> sum(StreamObserver<Number> responses) {
    return calls.clientStreaming(
        responses,
        requests -> {
          long sum = 0;
          for (Number each : requests) {
            sum += each.getValue();
          }
          return number(sum);
        });
  }

  @Override
  public void countTo(Number request, StreamObserver<Number> responses) {
    calls.serverStreaming(
        responses,
        numbers -> {
          for (long i = 1; i <= request.getValue(); i++) {
            numbers.send(number(i));
          }
        });
  }

  @Override
  public StreamObserver<Number> twice(StreamObserver<Number> responses) {
    return calls.streaming(
        responses,
        (requests, numbers) -> {
          for (Number each : requests) {
            numbers.send(number(2 * each.getValue()));
          }
        });
  }
}
