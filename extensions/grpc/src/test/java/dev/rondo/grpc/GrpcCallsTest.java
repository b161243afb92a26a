package dev.rondo.grpc;

import static dev.rondo.grpc.NumbersService.large;
import static dev.rondo.grpc.NumbersService.number;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import dev.rondo.grpc.numbers.Number;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Services and clients with generated stubs, over loopback.
final class GrpcCallsTest extends GrpcRig {

  private static final Duration GRACE = Duration.ofSeconds(40);

  private void requireEnd(GrpcSource<Number> source) {
    assertEquals(Optional.empty(), scheduler.await(source.receivingOrEnd()));
    assertTrue(source.isClosedForReceive());
    var e = assertThrows(ClosedException.class, source::receive);
    assertNull(e.getCause());
    assertThrows(ClosedException.class, source::tryReceive);
    assertThrows(ClosedException.class, () -> source.receive(Duration.ZERO));
  }

  private void requireAllKinds(Pair pair) {
    assertEquals(49, await(pair.futures.square(number(7))).getValue());
    try (GrpcSource<Number> numbers =
        calls.responses(each -> pair.stub.countTo(number(100), each))) {
      for (int i = 1; i <= 100; i++) {
        assertEquals(i, numbers.receive().getValue());
      }
      requireEnd(numbers);
      requireEnd(numbers);
    }
    try (GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
      for (int i = 1; i <= 100; i++) {
        sum.requests().send(number(i));
      }
      sum.requests().close();
      assertEquals(5_050, sum.responses().receive().getValue());
      requireEnd(sum.responses());
    }
    try (GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
      for (int i = 1; i <= 100; i++) {
        twice.requests().send(number(i));
        assertEquals(2L * i, twice.responses().receive().getValue());
      }
      twice.requests().close();
      requireEnd(twice.responses());
    }
  }

  /// A recording has it, and is the same in each run of a seed.
  @Test
  void awaiting_isDescribedWithoutIdentities() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        Waitable<Number> square = calls.awaiting(pair.futures.square(number(7)));
        assertEquals("completion of a unary gRPC call", square.toString());
        assertEquals(49, scheduler.host().awaitEvent(square).getValue());
        try (GrpcSource<Number> numbers =
            calls.responses(each -> pair.stub.countTo(number(1), each))) {
          Task<Number> receiver = scheduler.spawn("receiver", numbers::receive);
          scheduler.yield();
          assertEquals(
              List.of("completion of the next step of a gRPC call"),
              scheduler.tasks().stream()
                  .filter(each -> each.name().equals("receiver"))
                  .map(TaskInfo::waitingFor)
                  .toList());
          assertEquals(1, receiver.join().getValue());
        }
      }
    });
  }

  @Test
  void calls_ofAllKinds_areAnswered() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        requireAllKinds(pair);
        assertEquals(
            List.of(),
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(each -> each.startsWith("grpc"))
                .toList());
      }
    });
  }

  /// Its callbacks come on threads of others.
  @Test
  void calls_withAnExecutorOfOthers_areAnsweredOnTheLoop() {
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      run(() -> {
        try (var pair =
            new Pair(
                calls.start(
                    calls
                        .serverBuilder(anyPort())
                        .executor(executor)
                        .addService(new NumbersService(calls))))) {
          requireAllKinds(pair);
        }
      });
    }
  }

  @Test
  void calls_atTheSameTime_haveATaskEach() {
    int count = 50;
    run(() -> {
      Promise<Long> gate = netty.group().next().newPromise();
      Set<Task<?>> tasks = new HashSet<>();
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(
                  responses,
                  () -> {
                    tasks.add(scheduler.currentTask());
                    return number(netty.await(gate) + request.getValue());
                  });
            }
          };
      try (var pair = new Pair(service)) {
        var answers = new ArrayList<ListenableFuture<Number>>();
        for (int i = 0; i < count; i++) {
          answers.add(pair.futures.square(number(i)));
        }
        await(() -> tasks.size() == count);
        gate.setSuccess(1_000L);
        for (int i = 0; i < count; i++) {
          assertEquals(1_000 + i, await(answers.get(i)).getValue());
        }
      }
    });
  }

  @Test
  void task_ofACall_isNamedAfterItsMethod() {
    var names = new ArrayList<String>();
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(responses, () -> named(request));
            }

            @Override
            public StreamObserver<Number> sum(StreamObserver<Number> responses) {
              return calls.clientStreaming(responses, requests -> named(number(0)));
            }

            private Number named(Number answer) {
              names.add(requireNonNull(scheduler.currentTask()).name());
              return answer;
            }
          };
      try (var pair = new Pair(service)) {
        assertEquals(1, await(pair.futures.square(number(1))).getValue());
        try (GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
          sum.requests().close();
          assertEquals(0, sum.responses().receive().getValue());
        }
      }
    });
    assertEquals(
        List.of("grpc call dev.rondo.grpc.Numbers/Square", "grpc call dev.rondo.grpc.Numbers/Sum"),
        names);
  }

  /// Hands on the user of a call, and refuses a call without one.
  private static final class Users implements ServerInterceptor {

    static final Metadata.Key<String> HEADER =
        Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);
    static final Context.Key<String> USER = Context.key("user");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String user = headers.get(HEADER);
      if (user == null) {
        call.close(Status.UNAUTHENTICATED, new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return Contexts.interceptCall(Context.current().withValue(USER, user), call, headers, next);
    }
  }

  @Test
  void metadata_ofACall_isReadBeforeItsTaskBegins() {
    var users = new ArrayList<String>();
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              String user = Users.USER.get();
              calls.unary(
                  responses,
                  () -> {
                    users.add(user + " " + requireNonNull(scheduler.currentTask()).name());
                    return request;
                  });
            }
          };
      var builder = calls.serverBuilder(anyPort()).addService(service).intercept(new Users());
      try (var pair = new Pair(calls.start(builder))) {
        var metadata = new Metadata();
        metadata.put(Users.HEADER, "ann");
        var known =
            pair.futures.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
        assertEquals(1, await(known.square(number(1))).getValue());
        Status refused = statusOf(() -> await(pair.futures.square(number(2))));
        assertEquals(Status.Code.UNAUTHENTICATED, refused.getCode());
      }
    });
    assertEquals(List.of("ann grpc call dev.rondo.grpc.Numbers/Square"), users);
  }

  // Failures.

  @Test
  void failure_ofTheCode_isAStatusOfTheClient() {
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(
                  responses,
                  () ->
                      switch ((int) request.getValue()) {
                        case 0 -> throw Status.NOT_FOUND.withDescription("none").asException();
                        case 1 -> throw Status.ABORTED.asRuntimeException();
                        case 2 -> throw new IllegalStateException("inner secret");
                        case 4 -> throw new StackOverflowError("inner secret");
                        case 5 ->
                            scheduler
                                .<Number>spawn(
                                    "a part",
                                    () -> {
                                      throw Status.OUT_OF_RANGE.asException();
                                    })
                                .join();
                        default -> null;
                      });
            }

            @Override
            public StreamObserver<Number> twice(StreamObserver<Number> responses) {
              return calls.streaming(
                  responses,
                  (requests, numbers) -> {
                    numbers.send(number(1));
                    throw new StatusException(Status.DATA_LOSS);
                  });
            }
          };
      try (var pair = new Pair(service)) {
        Status none = statusOf(() -> await(pair.futures.square(number(0))));
        assertEquals(Status.Code.NOT_FOUND, none.getCode());
        assertEquals("none", none.getDescription());
        Status aborted = statusOf(() -> await(pair.futures.square(number(1))));
        assertEquals(Status.Code.ABORTED, aborted.getCode());
        Status ofPart = statusOf(() -> await(pair.futures.square(number(5))));
        assertEquals(Status.Code.OUT_OF_RANGE, ofPart.getCode());
        for (int each : new int[] {2, 3, 4}) {
          Status unknown = statusOf(() -> await(pair.futures.square(number(each))));
          assertEquals(Status.Code.UNKNOWN, unknown.getCode());
          assertEquals("the call has failed", unknown.getDescription());
        }
        try (GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
          assertEquals(1, twice.responses().receive().getValue());
          assertEquals(Status.Code.DATA_LOSS, statusOf(twice.responses()::receive).getCode());
          assertEquals(
              Status.Code.DATA_LOSS, statusOf(() -> twice.requests().send(number(1))).getCode());
        }
      }
    });
    List<Throwable> reported = takeFailures();
    assertEquals(3, reported.size());
    assertEquals("inner secret", reported.getFirst().getMessage());
  }

  /// Its calls wait for ever, and note what they end with.
  private class Waiting extends NumbersService {

    final List<Throwable> ended = new ArrayList<>();
    int begun;

    Waiting() {
      super(GrpcCallsTest.this.calls);
    }

    Number waits() {
      begun++;
      try {
        var _ = scheduler.suspend();
      } catch (Throwable e) {
        ended.add(e);
        throw e;
      }
      return number(0);
    }

    @Override
    public void square(Number request, StreamObserver<Number> responses) {
      calls.unary(responses, this::waits);
    }

    @Override
    public StreamObserver<Number> sum(StreamObserver<Number> responses) {
      return calls.clientStreaming(responses, requests -> waits());
    }

    void requireAllCancelled() {
      await(() -> ended.size() == begun);
      ended.forEach(each -> assertInstanceOf(TaskCancelled.class, each));
    }
  }

  @Test
  void stream_closedByTheClient_isOver() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        GrpcStream<Number, Number> twice = calls.open(pair.stub::twice);
        Task<String> waiting =
            scheduler.spawn(
                "waiting",
                () -> assertThrows(ClosedException.class, twice.responses()::receive).getMessage());
        scheduler.yield();
        twice.close();
        twice.close();
        twice.requests().close();
        assertEquals(
            "receive from the messages of a gRPC call: this side has cancelled it", waiting.join());
        var e = assertThrows(ClosedException.class, () -> twice.requests().send(number(1)));
        assertEquals("send to a gRPC call: the client has cancelled the call", e.getMessage());
        assertNull(e.getCause());
      }
    });
  }

  /// What the client sees first of a server that ends: the stream or the connection.
  private static void requireEnd(Status status) {
    assertTrue(
        Set.of(Status.Code.CANCELLED, Status.Code.UNAVAILABLE).contains(status.getCode()),
        status::toString);
  }

  @Test
  void client_thatCancels_wakesOtherTasksThatWaitForTheCall() {
    run(() -> {
      var ended = new ArrayList<Status.Code>();
      var service =
          new NumbersService(calls) {
            @Override
            public StreamObserver<Number> twice(StreamObserver<Number> responses) {
              return calls.streaming(
                  responses,
                  (requests, numbers) -> {
                    var sending =
                        scheduler.spawn(
                            "sending",
                            () ->
                                ended.add(
                                    statusOf(
                                            () -> {
                                              while (true) {
                                                numbers.send(large(1));
                                              }
                                            })
                                        .getCode()));
                    var _ = sending.join();
                  });
            }
          };
      try (var pair = new Pair(service)) {
        try (GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
          assertEquals(1, twice.responses().receive().getValue());
        }
        await(() -> !ended.isEmpty());
        assertEquals(List.of(Status.Code.CANCELLED), ended);
      }
    });
  }

  @Test
  void client_thatCancels_cancelsTheTask() {
    run(() -> {
      var service = new Waiting();
      try (var pair = new Pair(service)) {
        Task<Number> asking =
            scheduler.spawn("asking", () -> await(pair.futures.square(number(1))));
        await(() -> service.begun == 1);
        boolean _ = asking.cancel("enough");
        await(() -> service.ended.size() == 1);
        try (GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
          sum.requests().send(number(1));
          await(() -> service.begun == 2);
        }
        service.requireAllCancelled();
        assertEquals(2, service.ended.size());
      }
    });
  }

  @Test
  void await_ofACancelledTaskThatDoesNotBegin_cancelsTheCall() {
    var call = SettableFuture.<Number>create();
    run(() -> {
      Task<?> asking =
          scheduler.spawn(
              "asking",
              () -> {
                scheduler.currentTask().cancel("enough");
                return calls.await(call);
              });
      assertThrows(CancellationException.class, asking::join);
    });
    assertTrue(call.isCancelled());
  }

  @Test
  void deadline_thatPasses_cancelsTheTask() {
    run(() -> {
      var service = new Waiting();
      try (var pair = new Pair(service)) {
        for (long millis = 50; service.begun == 0; millis *= 2) {
          var soon = pair.futures.withDeadlineAfter(millis, TimeUnit.MILLISECONDS);
          Status status = statusOf(() -> await(soon.square(number(1))));
          assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
        }
        service.requireAllCancelled();
      }
    });
  }

  @Test
  void connection_thatEnds_cancelsTheTasks() {
    run(() -> {
      var service = new Waiting();
      try (var pair = new Pair(service)) {
        for (int i = 0; i < 3; i++) {
          var _ = pair.futures.square(number(i));
        }
        await(() -> service.begun == 3);
        var _ = pair.channel.shutdownNow();
        service.requireAllCancelled();
      }
    });
  }

  @Test
  void close_ofTheServer_endsItsCalls() {
    run(() -> {
      var service = new Waiting();
      try (var pair = new Pair(service)) {
        var answer = pair.futures.square(number(1));
        await(() -> service.begun == 1);
        pair.server.close();
        service.requireAllCancelled();
        requireEnd(statusOf(() -> await(answer)));
      }
    });
  }

  @Test
  void task_cancelledByTheServersProgram_answersCancelled() {
    run(() -> {
      var tasks = new ArrayList<Task<?>>();
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(
                  responses,
                  () -> {
                    tasks.add(scheduler.currentTask());
                    var _ = scheduler.suspend();
                    return number(0);
                  });
            }
          };
      try (var pair = new Pair(service)) {
        var answer = pair.futures.square(number(1));
        await(() -> tasks.size() == 1);
        boolean _ = tasks.getFirst().cancel("maintenance");
        Status status = statusOf(() -> await(answer));
        assertEquals(Status.Code.CANCELLED, status.getCode());
        assertEquals("the server has cancelled the call", status.getDescription());
      }
    });
  }

  @Test
  void call_thatEndsByACancellationOrALimit_answersSo() {
    run(() -> {
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(responses, () -> gaveUp((int) request.getValue()));
            }

            private Number gaveUp(int how) {
              switch (how) {
                case 0 -> { // it cancels itself
                  boolean _ = requireNonNull(scheduler.currentTask()).cancel("not needed");
                  scheduler.yield();
                }
                case 1 -> { // it joins a task that was cancelled
                  Task<Object> part = scheduler.spawn("a part", () -> scheduler.suspend());
                  scheduler.yield();
                  boolean _ = part.cancel("not needed");
                  part.join();
                }
                case 2 -> scheduler.within(Duration.ZERO, () -> scheduler.suspend());
                default -> // a part of it has run into a limit
                    scheduler
                        .spawn(
                            "late",
                            () -> scheduler.within(Duration.ZERO, () -> scheduler.suspend()))
                        .join();
              }
              return number(0);
            }
          };
      try (var pair = new Pair(service)) {
        for (int how : new int[] {0, 1}) {
          Status status = statusOf(() -> await(pair.futures.square(number(how))));
          assertEquals(Status.Code.CANCELLED, status.getCode());
          assertEquals("the server has cancelled the call", status.getDescription());
        }
        assertEquals(List.of(), takeFailures());
        for (int how : new int[] {2, 3}) {
          Status status = statusOf(() -> await(pair.futures.square(number(how))));
          assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
          assertEquals("a time limit of the server has passed", status.getDescription());
        }
      }
    });
    assertEquals(2, takeFailures().size());
  }

  private void requireUnavailableAfterShutdown(Waiting service) {
    runOn(
        scheduler,
        () ->
            scheduler.shielded(() -> {
              try (var pair = new Pair(service)) {
                var answer = pair.futures.square(number(1));
                await(() -> service.begun == 1);
                var _ = scheduler.shutdown(Duration.ZERO, GRACE);
                Status status = statusOf(() -> await(answer));
                assertEquals(Status.Code.UNAVAILABLE, status.getCode());
                assertEquals("the server ends", status.getDescription());
              }
              await(() -> netty.openCount() == 0);
              return null;
            }));
  }

  @Test
  void shutdown_ofTheScheduler_answersUnavailable() {
    requireUnavailableAfterShutdown(new Waiting());
  }

  @Test
  void shutdown_whileTheCodeJoinsInAShield_answersUnavailable() {
    requireUnavailableAfterShutdown(
        new Waiting() {
          @Override
          public void square(Number request, StreamObserver<Number> responses) {
            calls.unary(
                responses,
                () -> {
                  Task<Number> part = scheduler.spawn("a part", this::waits);
                  return scheduler.shielded(part::join);
                });
          }
        });
  }

  // Back-pressure.

  @Test
  void server_whoseClientDoesNotReceive_waits() {
    int count = 5_000;
    run(() -> {
      var sent = new int[1];
      var service =
          new NumbersService(calls) {
            @Override
            public void countTo(Number request, StreamObserver<Number> responses) {
              calls.serverStreaming(
                  responses,
                  numbers -> {
                    for (; sent[0] < count; sent[0]++) {
                      numbers.send(large(sent[0]));
                    }
                  });
            }
          };
      try (var pair = new Pair(service);
          GrpcSource<Number> numbers =
              calls.responses(each -> pair.stub.countTo(number(1), each))) {
        for (int i = 0; i < 3; i++) {
          assertEquals(i, numbers.receive().getValue());
        }
        int waiting = settled(sent);
        assertTrue(waiting < count, () -> waiting + " messages of 10 kB went nowhere");
        for (int i = 3; i < waiting + 100; i++) {
          assertEquals(i, numbers.receive().getValue());
        }
      }
    });
  }

  @Test
  void client_whoseServerDoesNotReceive_waits() {
    int count = 1_000;
    run(() -> {
      Promise<Boolean> gate = netty.group().next().newPromise();
      var service =
          new NumbersService(calls) {
            @Override
            public StreamObserver<Number> sum(StreamObserver<Number> responses) {
              return calls.clientStreaming(
                  responses,
                  requests -> {
                    netty.await(gate);
                    long received = 0;
                    for (Number _ : requests) {
                      received++;
                    }
                    return number(received);
                  });
            }
          };
      try (var pair = new Pair(service);
          GrpcStream<Number, Number> sum = calls.open(pair.stub::sum)) {
        var sent = new int[1];
        Task<Void> sending =
            scheduler.spawn(
                "sending",
                () -> {
                  for (; sent[0] < count; sent[0]++) {
                    sum.requests().send(large(1));
                  }
                  sum.requests().close();
                });
        int waiting = settled(sent);
        assertTrue(waiting < count, () -> waiting + " messages of 10 kB went nowhere");
        gate.setSuccess(true);
        assertEquals(count, sum.responses().receive().getValue());
        sending.join();
      }
    });
  }

  @Test
  void wait_thatIsGivenUp_hasReceivedNothing() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls));
          GrpcStream<Number, Number> twice = calls.open(pair.stub::twice)) {
        Promise<Number> other = netty.group().next().newPromise();
        Task<Number> first =
            scheduler.spawn(
                "first",
                () ->
                    scheduler.await(
                        Waitable.<Number>anyOf(
                            List.of(twice.responses().receiving(), netty.waitable(other)))));
        scheduler.yield();
        other.setSuccess(number(-1));
        assertEquals(-1, first.join().getValue());
        for (int i = 1; i <= 3; i++) {
          var _ = scheduler.await(twice.requests().sending(number(i)));
        }
        Task<Number> one = scheduler.spawn("one", twice.responses()::receive);
        Task<Number> two =
            scheduler.spawn("two", () -> scheduler.await(twice.responses().receiving()));
        assertEquals(6, one.join().getValue() + two.join().getValue());
        assertEquals(6, twice.responses().receive().getValue());
      }
    });
  }

  // The server.

  @Test
  void shutdown_waitsForTheCallsThatHaveBegun() {
    run(() -> {
      Promise<Long> gate = netty.group().next().newPromise();
      var begun = new boolean[1];
      var service =
          new NumbersService(calls) {
            @Override
            public void square(Number request, StreamObserver<Number> responses) {
              calls.unary(
                  responses,
                  () -> {
                    begun[0] = true;
                    return number(netty.await(gate));
                  });
            }
          };
      try (var pair = new Pair(service)) {
        var answer = pair.futures.square(number(1));
        await(() -> begun[0]);
        Task<Boolean> draining = scheduler.spawn("drain", () -> pair.server.shutdown(GRACE));
        await(() -> pair.server.server().isShutdown());
        assertFalse(draining.isDone());
        gate.setSuccess(9L);
        assertEquals(9, await(answer).getValue());
        assertTrue(draining.join());
        Status refused = statusOf(() -> await(pair.futures.square(number(2))));
        assertEquals(Status.Code.UNAVAILABLE, refused.getCode());
      }
    });
  }

  @Test
  void shutdown_whenTheGraceIsOver_endsTheCalls() {
    run(() -> {
      var service = new Waiting();
      try (var pair = new Pair(service)) {
        var answer = pair.futures.square(number(1));
        await(() -> service.begun == 1);
        assertFalse(pair.server.shutdown(Duration.ZERO));
        service.requireAllCancelled();
        requireEnd(statusOf(() -> await(answer)));
      }
    });
  }

  @Test
  void shutdown_negativeGrace_isRefusedAndTheServerGoesOn() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        assertThrows(
            IllegalArgumentException.class, () -> pair.server.shutdown(Duration.ofNanos(-1)));
        assertEquals(4, await(pair.futures.square(number(2))).getValue());
      }
    });
  }

  @Test
  void close_serverIsDescribedAsBefore() {
    run(() -> {
      GrpcServer server = calls.start(calls.serverBuilder(anyPort()));
      var addresses = server.localAddresses();
      server.close();
      assertEquals(addresses, server.localAddresses());
      assertEquals("grpc server " + addresses, server.toString());
    });
  }

  @Test
  void start_portInUse_fails() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls))) {
        var taken = pair.server.localAddresses().getFirst();
        assertThrows(IOException.class, () -> calls.start(calls.serverBuilder(taken)));
        assertEquals(4, await(pair.futures.square(number(2))).getValue());
      }
    });
  }
}
