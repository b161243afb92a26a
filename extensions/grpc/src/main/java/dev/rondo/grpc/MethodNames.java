package dev.rondo.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/// Tells a call the name of its method, which gRPC does not pass to the service. Any thread.
final class MethodNames implements ServerInterceptor {

  private static final Context.Key<@Nullable String> METHOD = Context.key("dev.rondo.grpc.method");

  /// {@return the name of the call that the service is answering, such as `grpc call
  /// acme.Numbers/Square`} Without the method if [GrpcCalls] did not make the builder of the
  /// server.
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
