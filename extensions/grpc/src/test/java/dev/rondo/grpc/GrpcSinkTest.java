package dev.rondo.grpc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.rondo.grpc.numbers.Number;
import dev.rondo.scheduler.TaskCancelled;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class GrpcSinkTest extends GrpcRig {

  /// As when a client has received something and then resets its stream: both come in one read.
  @Test
  @SuppressWarnings("unchecked")
  void send_cancelledWhenThereIsRoomAgain_isCancelled() {
    var callbacks = new ArrayList<Runnable>();
    CallStreamObserver<Number> call = mock(CallStreamObserver.class);
    doAnswer(each -> callbacks.add(each.getArgument(0))).when(call).setOnReadyHandler(any());
    var failures = new ArrayList<Throwable>();
    run(() -> {
      var numbers = new GrpcSink<Number>(new CallLoop(scheduler), _ -> {});
      numbers.bind(call);
      var sending =
          scheduler.spawn(
              "sending",
              () -> {
                try {
                  numbers.send(NumbersService.number(1));
                } catch (Throwable e) {
                  failures.add(e);
                  throw e;
                }
              });
      scheduler.yield();
      when(call.isReady()).thenReturn(true);
      callbacks.forEach(Runnable::run);
      boolean _ = sending.cancel("the client has gone");
      numbers.end(CallEnd.early("the client has gone", Status.CANCELLED.asRuntimeException()));
      await(() -> sending.isDone());
    });
    assertInstanceOf(TaskCancelled.class, failures.getFirst());
  }
}
