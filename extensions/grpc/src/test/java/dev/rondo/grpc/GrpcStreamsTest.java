package dev.rondo.grpc;

import static dev.rondo.grpc.NumbersService.large;
import static dev.rondo.grpc.NumbersService.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.grpc.numbers.Number;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The streams of a call as channels: the same verbs and the same ends.
final class GrpcStreamsTest extends GrpcRig {

  /// The copy of [ReceiveChannel], which knows no gRPC.
  private static <T> void copy(ReceiveChannel<T> from, SendChannel<T> to) {
    try {
      for (T each : from) {
        to.send(each);
      }
      to.close();
    } catch (Throwable e) {
      to.close(e);
      var _ = from.cancel(e);
      throw e;
    }
  }

  /// Its `twice` is that of another server.
  private final class Relay extends NumbersService {

    private final Pair behind;

    Relay(Pair behind) {
      super(GrpcStreamsTest.this.calls);
      this.behind = behind;
    }

    @Override
    public StreamObserver<Number> twice(StreamObserver<Number> responses) {
      return calls.streaming(
          responses,
          (requests, numbers) -> {
            try (GrpcStream<Number, Number> own = calls.open(behind.stub::twice)) {
              Task<Void> up = scheduler.spawn("up", () -> copy(requests, own.requests()));
              copy(own.responses(), numbers);
              up.join();
            }
          });
    }
  }

  @Test
  void copy_ofStreams_isTheCopyOfChannels() {
    run(() -> {
      try (var behind = new Pair(new NumbersService(calls));
          var pair = new Pair(new Relay(behind));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        for (int i = 0; i < 3; i++) {
          twice.requests().send(number(i));
        }
        twice.requests().close();
        twice.requests().close();
        var received = new ArrayList<Long>();
        for (Number each : twice.responses()) {
          received.add(each.getValue());
        }
        assertEquals(List.of(0L, 2L, 4L), received);
      }
    });
  }

  /// Answers the first request, and then with a failure.
  private NumbersService failing(Throwable failure) {
    return new NumbersService(calls) {
      @Override
      public StreamObserver<Number> twice(StreamObserver<Number> responses) {
        return calls.streaming(
            responses,
            (requests, numbers) -> {
              numbers.send(requests.receive());
              numbers.close(failure);
              var e = assertThrows(ClosedException.class, () -> numbers.send(number(1)));
              assertSame(failure, e.getCause());
            });
      }
    };
  }

  @Test
  void copy_ofAStreamThatFails_endsWithItsStatus() {
    run(() -> {
      try (var behind = new Pair(failing(Status.DATA_LOSS.asRuntimeException()));
          var pair = new Pair(new Relay(behind));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        twice.requests().send(number(7));
        assertEquals(7, twice.responses().receive().getValue());
        assertEquals(Status.Code.DATA_LOSS, statusOf(twice.responses()::receive).getCode());
        assertEquals(
            Status.Code.DATA_LOSS,
            statusOf(() -> scheduler.await(twice.responses().receivingOrEnd())).getCode());
      }
    });
    var _ = takeFailures(); // the task "up" of the relay may have seen the end first
  }

  @Test
  void status_withTrailers_isTheCauseOfTheEnd() {
    var key = Metadata.Key.of("detail", Metadata.ASCII_STRING_MARSHALLER);
    var trailers = new Metadata();
    trailers.put(key, "sector 7");
    run(() -> {
      try (var pair = new Pair(failing(Status.DATA_LOSS.asRuntimeException(trailers)));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        twice.requests().send(number(7));
        assertEquals(7, twice.responses().receive().getValue());
        var end = assertThrows(ClosedException.class, twice.responses()::receive);
        assertEquals("sector 7", Status.trailersFromThrowable(end).get(key));
      }
    });
  }

  @Test
  void close_ofResponsesWithACause_isTheFailureOfTheCall() {
    run(() -> {
      try (var pair = new Pair(failing(new IOException("its disk")));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        twice.requests().send(number(7));
        assertEquals(7, twice.responses().receive().getValue());
        assertEquals(Status.Code.UNKNOWN, statusOf(twice.responses()::receive).getCode());
      }
    });
    assertEquals("its disk", takeFailures().getFirst().getMessage());
  }

  @Test
  void close_ofRequestsWithACause_cancelsTheCall() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        var cause = new IOException("no more of it");
        twice.requests().close(cause);
        assertTrue(twice.requests().isClosedForSend());
        var sending = assertThrows(ClosedException.class, () -> twice.requests().send(number(1)));
        assertSame(cause, sending.getCause());
        var receiving = assertThrows(ClosedException.class, twice.responses()::receive);
        assertSame(cause, receiving.getCause());
      }
    });
  }

  @Test
  void cancel_ofReceivedMessages_returnsThem() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        GrpcSource<Number> numbers = calls.responses(each -> pair.stub.countTo(number(9), each));
        assertEquals(1, numbers.receive(Duration.ofSeconds(20)).getValue());
        for (int i = 0; i < 1_000; i++) {
          scheduler.yield(); // one message is asked for ahead
        }
        List<Number> left = numbers.cancel();
        assertTrue(left.size() <= 1, left::toString);
        assertEquals(List.of(), numbers.cancel());
        assertTrue(numbers.isClosedForReceive());
        assertThrows(ClosedException.class, () -> scheduler.await(numbers.receivingOrEnd()));
      }
    });
  }

  @Test
  void cancel_byTheServer_leavesTheCall() {
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public StreamObserver<Number> twice(StreamObserver<Number> responses) {
              return calls.streaming(
                  responses,
                  (requests, numbers) -> {
                    numbers.send(requests.receive());
                    var _ = requests.cancel();
                    assertThrows(ClosedException.class, requests::receive);
                    numbers.send(number(8));
                  });
            }
          };
      try (var pair = new Pair(service);
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        twice.requests().send(number(7));
        assertEquals(7, twice.responses().receive().getValue());
        assertEquals(8, twice.responses().receive().getValue());
        assertThrows(ClosedException.class, twice.responses()::receive);
      }
    });
  }

  @Test
  void receive_withALimit_endsWithoutAMessage() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        assertNull(twice.responses().tryReceive());
        assertThrows(
            TimedOutException.class, () -> twice.responses().receive(Duration.ofMillis(1)));
        assertThrows(
            IllegalArgumentException.class, () -> twice.responses().receive(Duration.ofMillis(-1)));
        twice.requests().send(number(3), Duration.ofSeconds(20));
        assertEquals(6, twice.responses().receive().getValue());
      }
    });
  }

  /// The response is on its way, and the code has not begun to receive.
  @Test
  void send_toAServerThatHasAnswered_fails() {
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public StreamObserver<Number> sum(StreamObserver<Number> responses) {
              return calls.clientStreaming(responses, GrpcSource::receive);
            }
          };
      try (var pair = new Pair(service);
          GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
        scheduler.within(
            Duration.ofSeconds(20),
            () ->
                assertThrows(
                    ClosedException.class,
                    () -> {
                      while (true) {
                        sum.requests().send(number(1));
                        scheduler.yield();
                      }
                    }));
        assertEquals(1, sum.responses().receive().getValue());
        assertThrows(ClosedException.class, sum.responses()::receive);
      }
    });
  }

  @Test
  void send_withALimit_endsWithoutRoom() {
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public StreamObserver<Number> sum(StreamObserver<Number> responses) {
              return calls.clientStreaming(
                  responses,
                  _ -> {
                    var _ = scheduler.suspend();
                    return number(0);
                  });
            }
          };
      try (var pair = new Pair(service);
          GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
        sum.requests().send(number(1));
        while (sum.requests().trySend(large(1))) {
          scheduler.yield();
        }
        assertThrows(
            TimedOutException.class,
            () -> {
              while (true) {
                sum.requests().send(large(1), Duration.ofMillis(20));
              }
            });
        assertFalse(sum.requests().isClosedForSend());
      }
    });
  }
}
