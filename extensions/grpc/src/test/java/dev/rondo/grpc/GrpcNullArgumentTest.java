package dev.rondo.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.testing.NullArguments;
import io.grpc.ServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class GrpcNullArgumentTest {

  private static final StreamObserver<Object> NOTHING =
      new StreamObserver<>() {
        @Override
        public void onNext(Object message) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
      };

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(GrpcCalls.class, GrpcCalls::on)
          .sample(SocketAddress.class, scheduler -> GrpcRig.anyPort())
          .sample(
              ServerBuilder.class,
              scheduler -> GrpcCalls.on(scheduler).serverBuilder(GrpcRig.anyPort()))
          .sample(StreamObserver.class, scheduler -> NOTHING)
          .sample(TaskCall.class, scheduler -> () -> "sample")
          .sample(GrpcCalls.Sender.class, scheduler -> responses -> {})
          .sample(GrpcCalls.Receiver.class, scheduler -> requests -> "sample")
          .sample(GrpcCalls.Conversation.class, scheduler -> (requests, responses) -> {})
          .sample(Consumer.class, scheduler -> observer -> {})
          .sample(Function.class, scheduler -> observer -> NOTHING)
          .sample(GrpcSink.class, scheduler -> new GrpcSink<>(new CallLoop(scheduler), _ -> {}))
          .sample(
              GrpcSource.class,
              scheduler -> new GrpcSource<>(new CallLoop(scheduler), () -> {}, _ -> {}))
          .sample(GrpcStream.class, scheduler -> GrpcCalls.on(scheduler).open(observer -> NOTHING))
          .opened(
              GrpcServer.class,
              scheduler -> {
                GrpcCalls calls = GrpcCalls.on(scheduler);
                return calls.start(calls.serverBuilder(GrpcRig.anyPort()));
              });

  @Test
  void null_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(GrpcCalls.class));
  }
}
