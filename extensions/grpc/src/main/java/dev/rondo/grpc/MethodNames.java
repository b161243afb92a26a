package dev.rondo.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/// Tells a call which method it answers: gRPC does not pass that to the service. Any thread.
final class MethodNames implements ServerInterceptor {

  private static final Context.Key<@Nullable String> METHOD = Context.key("dev.rondo.grpc.method");

  /// {@return what the call that the service is being called for is called, as in `grpc call
  /// acme.Numbers/Square`} Without its method if the server's builder is not one of [GrpcCalls].
  static String nameOfCall() {
    String method = METHOD.get();
    return method == null ? "grpc call" : "grpc call " + method;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    return Contexts.interceptCall(Context.current().withValue(METHOD, method), call, headers, next);
  }
}
