// DEPS io.grpc:grpc-netty-shaded:1.76.0
// DEPS io.grpc:grpc-stub:1.76.0
package com.acme.libraries;

import io.grpc.CallOptions;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

public final class Grpc {

  private static final MethodDescriptor.Marshaller<String> TEXT =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
          return new ByteArrayInputStream(value.getBytes());
        }

        @Override
        public String parse(InputStream stream) {
          try {
            return new String(stream.readAllBytes());
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        }
      };

  public static void main(String[] args) throws Exception {
    var method =
        MethodDescriptor.newBuilder(TEXT, TEXT)
            .setType(MethodType.UNARY)
            .setFullMethodName("Service/answer")
            .build();
    var service =
        ServerServiceDefinition.builder("Service")
            .addMethod(
                method,
                ServerCalls.asyncUnaryCall((request, observer) -> {
                  try {
                    Thread.sleep((long) (Math.random() * 1_500));
                  } catch (InterruptedException _) {
                    return;
                  }
                  observer.onNext("answer to " + request);
                  observer.onCompleted();
                }))
            .build();
    var server = NettyServerBuilder.forPort(8080).addService(service).build().start();
    var channel = ManagedChannelBuilder.forAddress("localhost", 8080).usePlaintext().build();
    Work.run(
        6,
        30,
        number -> {
          try {
            System.out.println(
                ClientCalls.blockingUnaryCall(
                    channel,
                    method,
                    CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.SECONDS),
                    "call " + number));
          } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.DEADLINE_EXCEEDED) {
              throw e;
            }
            System.out.println(number + " failed " + e);
          }
        });
    channel.shutdown().awaitTermination(1, TimeUnit.MINUTES);
    server.shutdown().awaitTermination(1, TimeUnit.MINUTES);
    System.out.println("end");
  }
}
