package dev.rondo.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.BodyMemory;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import io.grpc.ServerBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// gRPC on the loop of a scheduler: its transport is Netty's on the scheduler's thread, and each
/// call is answered by a task, in straight-line code.
///
/// A service extends what `protoc` has generated, and hands each call to one of four methods,
/// according to its kind:
///
/// ```java
/// public void square(Number request, StreamObserver<Number> responses) {
///   calls.unary(responses, () -> number(request.getValue() * request.getValue()));
/// }
///
/// public StreamObserver<Number> sum(StreamObserver<Number> responses) {
///   return calls.clientStreaming(responses, requests -> {
///     long sum = 0;
///     for (Number each : requests) {
///       sum += each.getValue();
///     }
///     return number(sum);
///   });
/// }
/// ```
///
/// **How a call ends.** In order, when its code returns. With the status of an
/// [io.grpc.StatusException] or [io.grpc.StatusRuntimeException] that the code throws, or that is
/// the failure of a task which it joins. With `DEADLINE_EXCEEDED` if a limit of its own passes (a
/// [dev.rondo.scheduler.TimedOutException]), which is reported, and with `UNKNOWN` if it throws
/// another exception, which is reported, too. With `CANCELLED` if the program cancels its task, or
/// a task that it joins; with `UNAVAILABLE` if the scheduler ends. If the client cancels the call,
/// its deadline passes, or its connection ends, the task is cancelled.
///
/// **Names.** A server of [#serverBuilder] names the task of a call after its method, as in `grpc
/// call acme.Numbers/Square`. Dumps and reports of failures have that name.
///
/// **Streams** are [dev.rondo.scheduler.SendChannel]s and [dev.rondo.scheduler.ReceiveChannel]s. A
/// [dev.rondo.scheduler.ClosedException] that the code does not catch ends the call with the status
/// of its cause.
///
/// **Clients.** A unary call of a future stub is awaited as any future:
/// `calls.await(stub.square(request))`. Calls with streams begin with [#responses] or [#open], of a
/// stub that is neither blocking nor of futures. Blocking stubs must not be used on the scheduler's
/// thread.
///
/// `io.grpc.Context` belongs to the thread that calls the service, not to the task: read it before
/// the task begins.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public final class GrpcCalls {

  /// Answers a call with a stream of responses.
  ///
  /// @param <R> the type of the responses
  @FunctionalInterface
  public interface Sender<R> {

    /// Runs in the task of the call.
    ///
    /// @param responses where to send them
    /// @throws Exception a status, or any other failure
    void run(GrpcSink<R> responses) throws Exception;
  }

  /// Answers a stream of requests with one response.
  ///
  /// @param <Q> the type of the requests
  /// @param <R> the type of the response
  @FunctionalInterface
  public interface Receiver<Q, R> {

    /// Runs in the task of the call.
    ///
    /// @param requests of the client
    /// @return the response
    /// @throws Exception a status, or any other failure
    R run(GrpcSource<Q> requests) throws Exception;
  }

  /// Answers a stream of requests with a stream of responses.
  ///
  /// @param <Q> the type of the requests
  /// @param <R> the type of the responses
  @FunctionalInterface
  public interface Conversation<Q, R> {

    /// Runs in the task of the call.
    ///
    /// @param requests of the client
    /// @param responses where to send them
    /// @throws Exception a status, or any other failure
    void run(GrpcSource<Q> requests, GrpcSink<R> responses) throws Exception;
  }

  /// gRPC takes this for no limit, and sets no timer. Its timers depend on the system's clock, so
  /// under virtual time they would differ in each run.
  private static final long NEVER_DAYS = 1_000;

  /// The number of calls that a server answers at a time on one connection, unless the builder says
  /// otherwise. Each call may hold an incomplete message.
  private static final int MOST_CALLS = 100;

  /// The bytes of incomplete messages that a server holds.
  private static final long MEMORY_BYTES = 64 << 20;

  /// After this time a message must have kept a pace of 1 KiB a second.
  private static final Duration PROGRESS = Duration.ofSeconds(30);

  /// The time that a client has to end its direction after the server has closed the connection.
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final CallLoop loop;

  private final BodyMemory memory;

  private GrpcCalls(Scheduler scheduler, long memoryBytes) {
    this.loop = new CallLoop(scheduler);
    this.memory = new BodyMemory(scheduler, memoryBytes, memoryBytes);
  }

  /// {@return the same as [#on], with another memory for messages}
  static GrpcCalls withMemory(Scheduler scheduler, long bytes) {
    return new GrpcCalls(scheduler, bytes);
  }

  /// {@return calls whose tasks run on a scheduler} Never a suspension point.
  ///
  /// @param scheduler on its own thread
  public static GrpcCalls on(Scheduler scheduler) {
    return new GrpcCalls(Objects.requireNonNull(scheduler, "scheduler is null"), MEMORY_BYTES);
  }

  // Transports.

  /// {@return a builder of a server on the scheduler's event loop, and with its executor} For
  /// services, limits and TLS. One connection may have 100 calls at a time; more of them wait at
  /// the client. The arrived parts of incomplete messages share 64 MiB: a connection may use a
  /// quarter of this memory, and all connections of one client a half. After 30 s a message must
  /// keep a pace of 1 KiB a second. A call that exceeds these limits ends. Never a suspension
  /// point.
  ///
  /// @param address port 0 for any free one, see [GrpcServer#localAddresses()]
  public NettyServerBuilder serverBuilder(SocketAddress address) {
    Objects.requireNonNull(address, "address is null");
    WaitForNetty netty = loop.netty();
    var channels = netty.serverBootstrap().config().channelFactory();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(loop.serverGroup())
            .workerEventLoopGroup(netty.group())
            .channelFactory(() -> lingering(channels.newChannel()))
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .directExecutor()
            .intercept(new MethodNames());
    MessageArrival.limit(builder, loop, memory, PROGRESS);
    return loop.isVirtual() ? builder.keepAliveTime(NEVER_DAYS, TimeUnit.DAYS) : builder;
  }

  /// Makes each accepted connection linger when it is closed, so that the client receives the last
  /// bytes.
  private static <C extends Channel> C lingering(C listening) {
    listening
        .pipeline()
        .addFirst(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object accepted) {
                LingeringClose.install((Channel) accepted, LINGER);
                context.fireChannelRead(accepted);
              }
            });
    return listening;
  }

  /// Starts a server. *Always* a suspension point.
  ///
  /// @param builder made by [#serverBuilder(SocketAddress)]
  /// @return the server, which the caller closes
  /// @throws IOException if the port is in use or not allowed
  public GrpcServer start(ServerBuilder<?> builder) throws IOException {
    Objects.requireNonNull(builder, "builder is null");
    return GrpcServer.start(loop.scheduler(), ServerLife.of(loop, builder));
  }

  /// {@return a builder of a client's channel on the scheduler's event loop, and with its executor}
  /// The caller shuts the channel down. Never a suspension point.
  ///
  /// @param address resolved
  public NettyChannelBuilder channelBuilder(SocketAddress address) {
    Objects.requireNonNull(address, "address is null");
    WaitForNetty netty = loop.netty();
    var channels = netty.bootstrap().config().channelFactory();
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address)
            .eventLoopGroup(loop.clientGroup())
            .channelFactory(channels::newChannel)
            .directExecutor();
    return loop.isVirtual() ? builder.idleTimeout(NEVER_DAYS, TimeUnit.DAYS) : builder;
  }

  // A server's calls.

  /// Answers one request with one response, in a task. To be called by the method of the service,
  /// on any thread. Never a suspension point.
  ///
  /// @param <R> the type of the response
  /// @param responses as the method has received it
  /// @param code returns the response
  public <R> void unary(StreamObserver<R> responses, TaskCall<? extends R, ?> code) {
    Objects.requireNonNull(code, "code is null");
    ServerCallStreamObserver<R> call = ofServer(responses);
    new ServerTask(loop, call, _ -> {})
        .start(() -> call.onNext(Objects.requireNonNull(code.call(), "the response is null")));
  }

  /// Answers one request with a stream of responses, in a task. To be called by the method of the
  /// service, on any thread. Never a suspension point.
  ///
  /// @param <R> the type of the responses
  /// @param responses as the method has received it
  /// @param code sends the responses
  public <R> void serverStreaming(StreamObserver<R> responses, Sender<R> code) {
    Objects.requireNonNull(code, "code is null");
    ServerCallStreamObserver<R> call = ofServer(responses);
    var closed = new SinkFailure();
    GrpcSink<R> sink = sink(call, closed);
    new ServerTask(loop, call, sink::end)
        .start(() -> {
          code.run(sink);
          closed.throwIfAny();
        });
  }

  /// Answers a stream of requests with one response, in a task. To be called by the method of the
  /// service, on any thread. Never a suspension point.
  ///
  /// @param <Q> the type of the requests
  /// @param <R> the type of the response
  /// @param responses as the method has received it
  /// @param code receives the requests and returns the response
  /// @return the result for the method of the service
  public <Q, R> StreamObserver<Q> clientStreaming(
      StreamObserver<R> responses, Receiver<Q, ? extends R> code) {
    Objects.requireNonNull(code, "code is null");
    ServerCallStreamObserver<R> call = ofServer(responses);
    GrpcSource<Q> source = source(call);
    new ServerTask(loop, call, source::end)
        .start(() -> call.onNext(Objects.requireNonNull(code.run(source), "the response is null")));
    return new Requests<>(loop, source);
  }

  /// Answers a stream of requests with a stream of responses, in a task. To be called by the method
  /// of the service, on any thread. Never a suspension point.
  ///
  /// @param <Q> the type of the requests
  /// @param <R> the type of the responses
  /// @param responses as the method has received it
  /// @param code receives the requests and sends the responses
  /// @return the result for the method of the service
  public <Q, R> StreamObserver<Q> streaming(StreamObserver<R> responses, Conversation<Q, R> code) {
    Objects.requireNonNull(code, "code is null");
    ServerCallStreamObserver<R> call = ofServer(responses);
    GrpcSource<Q> source = source(call);
    var closed = new SinkFailure();
    GrpcSink<R> sink = sink(call, closed);
    new ServerTask(
            loop,
            call,
            why -> {
              source.end(why);
              sink.end(why);
            })
        .start(() -> {
          code.run(source, sink);
          closed.throwIfAny();
        });
    return new Requests<>(loop, source);
  }

  private static <R> ServerCallStreamObserver<R> ofServer(StreamObserver<R> responses) {
    if (Objects.requireNonNull(responses, "responses is null")
        instanceof ServerCallStreamObserver<R> call) {
      return call;
    }
    throw new IllegalArgumentException(
        "responses=%s; required: what gRPC has given to the method of the service"
            .formatted(responses));
  }

  /// The failure with which the code of a call has closed its responses.
  private static final class SinkFailure implements GrpcSink.Closing {

    private @Nullable Throwable failure;

    @Override
    public void close(@Nullable Throwable cause) {
      failure = cause;
    }

    void throwIfAny() throws Exception {
      switch (failure) {
        case null -> {}
        case Exception e -> throw e;
        case Throwable e -> throw new ExecutionException(e);
      }
    }
  }

  private <R> GrpcSink<R> sink(ServerCallStreamObserver<R> call, SinkFailure closed) {
    var sink = new GrpcSink<R>(loop, closed);
    sink.bind(call);
    return sink;
  }

  private <Q> GrpcSource<Q> source(ServerCallStreamObserver<?> call) {
    call.disableAutoRequest();
    return new GrpcSource<>(loop, () -> call.request(1), _ -> {});
  }

  /// The requests of a client, as gRPC delivers them on any thread.
  private record Requests<Q>(CallLoop loop, GrpcSource<Q> source) implements StreamObserver<Q> {

    @Override
    public void onNext(Q request) {
      loop.run(() -> source.arrived(request));
    }

    @Override
    public void onError(Throwable failure) {
      loop.run(() -> source.end(CallEnd.early("the call has failed", failure)));
    }

    @Override
    public void onCompleted() {
      loop.run(() -> source.end(CallEnd.orderly("the client has ended the requests")));
    }
  }

  // A client's calls.

  /// Waits for the response of a unary call. If this fails, the call is cancelled. A *possible*
  /// suspension point: none if the call has ended, unless the turn's budget is spent.
  ///
  /// @param <R> the type of the response
  /// @param call the result of a method of a future stub
  /// @return the response
  /// @throws StatusRuntimeException if the call failed
  public <R> R await(ListenableFuture<R> call) {
    Waitable<R> response = awaiting(call);
    try {
      return loop.await(response);
    } catch (Throwable e) {
      boolean _ = call.cancel(true); // the wait may not have begun
      throw e;
    }
  }

  /// {@return the response of a unary call, as an event} It fails with the call's
  /// [StatusRuntimeException]. A wait that has begun and is given up cancels the call.
  ///
  /// Unlike [Scheduler#completion(Future)] this is not a wait for another thread, because the loop
  /// itself receives the response. Virtual time does not stand still meanwhile.
  ///
  /// @param <R> the type of the response
  /// @param call the result of a method of a future stub
  public <R> Waitable<R> awaiting(ListenableFuture<R> call) {
    Objects.requireNonNull(call, "call is null");
    Promise<R> response = loop.newPromise("a unary gRPC call");
    call.addListener(() -> loop.run(() -> settle(response, call)), Runnable::run);
    response.addListener(done -> {
      if (done.isCancelled()) {
        boolean _ = call.cancel(true);
      }
    });
    return loop.netty().cancelling(response);
  }

  private static <R> void settle(Promise<R> response, ListenableFuture<R> call) {
    switch (call.state()) {
      case SUCCESS -> {
        boolean _ = response.trySuccess(call.resultNow());
      }
      case FAILED -> {
        boolean _ = response.tryFailure(call.exceptionNow());
      }
      default -> {
        boolean _ = response.cancel(false);
      }
    }
  }

  /// Begins a call that is answered with a stream of responses. Never a suspension point.
  ///
  /// @param <R> the type of the responses
  /// @param method calls the stub's method with the given observer: `each -> stub.countTo(request,
  ///   each)`
  /// @return the responses; closing them cancels the call
  public <R> GrpcSource<R> responses(Consumer<StreamObserver<R>> method) {
    Objects.requireNonNull(method, "method is null");
    loop.scheduler().host().checkThread();
    var call = new ClientCall<Object, R>(loop);
    method.accept(call);
    return call.responses();
  }

  /// Begins a call that sends a stream of requests, and is answered with one response or a stream
  /// of them. Never a suspension point.
  ///
  /// @param <Q> the type of the requests
  /// @param <R> the type of the responses
  /// @param method the stub's: `stub::sum`
  /// @return the call; closing it cancels it
  public <Q, R> GrpcStream<Q, R> open(Function<StreamObserver<R>, StreamObserver<Q>> method) {
    Objects.requireNonNull(method, "method is null");
    loop.scheduler().host().checkThread();
    var call = new ClientCall<Q, R>(loop);
    StreamObserver<Q> _ = method.apply(call);
    return new GrpcStream<>(call.requests(), call.responses());
  }
}
