package dev.rondo.grpc;

import dev.rondo.netty.internal.BodyMemory;
import dev.rondo.netty.internal.BodyPace;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The incomplete message of one call to a server: its memory, and its pace. gRPC holds the arrived
/// bytes, and tells this tracer their number.
///
/// Confined to the scheduler's thread, except the methods that gRPC calls.
final class MessageArrival extends ServerStreamTracer {

  private static final Attributes.Key<Object> CONNECTION =
      Attributes.Key.create("dev.rondo.grpc.connection");

  private static final Context.Key<@Nullable MessageArrival> OF_CALL =
      Context.key("dev.rondo.grpc.arrival");

  private final CallLoop loop;
  private final BodyMemory memory;
  private final Duration progress;
  private Attributes transport = Attributes.EMPTY;

  /// Ends the call; null until an interceptor has seen it.
  private @Nullable Consumer<Status> failing;

  private BodyMemory.@Nullable Share share;

  /// Null while no message is incomplete.
  private @Nullable BodyPace pace;

  private long bytes;
  private @Nullable Future<?> timer;
  private boolean over;

  private MessageArrival(CallLoop loop, BodyMemory memory, Duration progress) {
    this.loop = loop;
    this.memory = memory;
    this.progress = progress;
  }

  /// Makes the messages of all calls to a server share a memory and keep a pace.
  static void limit(
      NettyServerBuilder builder, CallLoop loop, BodyMemory memory, Duration progress) {
    builder
        .addTransportFilter(
            new ServerTransportFilter() {
              @Override
              public Attributes transportReady(Attributes attributes) {
                return attributes.toBuilder().set(CONNECTION, new Object()).build();
              }
            })
        .addStreamTracerFactory(
            new Factory() {
              @Override
              public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new MessageArrival(loop, memory, progress);
              }
            })
        .intercept(new EndableCalls());
  }

  /// {@return the arrival of the call for which an interceptor is running}
  static @Nullable MessageArrival ofCall() {
    return OF_CALL.get();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(OF_CALL, this);
  }

  /// Any thread.
  ///
  /// @param attributes of the call
  /// @param action ends the call, on the loop's thread
  void begin(Attributes attributes, Consumer<Status> action) {
    loop.run(() -> {
      transport = attributes;
      failing = action;
      if (bytes > 0) {
        charge(bytes); // they came with the head of the call
      }
    });
  }

  @Override
  public void inboundWireSize(long count) {
    loop.run(() -> arrived(count));
  }

  @Override
  public void inboundMessageRead(int number, long wireBytes, long plainBytes) {
    loop.run(this::endOfMessage);
  }

  @Override
  public void streamClosed(Status status) {
    loop.run(this::end);
  }

  private void end() {
    over = true;
    endOfMessage();
  }

  private void arrived(long count) {
    if (over) {
      return;
    }
    bytes += count;
    if (failing != null) {
      charge(count);
    }
  }

  private void charge(long count) {
    BodyMemory.Share own = share;
    if (own == null) {
      own =
          memory.share(
              Objects.requireNonNull(transport.get(CONNECTION)),
              transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
      share = own;
      pace = new BodyPace(loop.scheduler().host(), progress);
    }
    if (!own.tryGrow(count)) {
      fail(Status.RESOURCE_EXHAUSTED.withDescription("there is no memory for a message"));
    } else if (timer == null) {
      look();
    }
  }

  private void look() {
    timer = null;
    BodyPace kept = pace;
    if (kept == null) {
      return;
    }
    if (kept.isTooSlow(bytes)) {
      fail(
          Status.DEADLINE_EXCEEDED.withDescription(
              "a message comes too slowly; required after %d s: %d bytes a second"
                  .formatted(progress.toSeconds(), BodyPace.BYTES_PER_SECOND)));
    } else {
      timer = loop.after(kept.leftNanos(bytes) + 1, this::look);
    }
  }

  private void fail(Status status) {
    Consumer<Status> action = Objects.requireNonNull(failing);
    end();
    loop.soon(() -> action.accept(status)); // gRPC is delivering to the call
  }

  private void endOfMessage() {
    BodyMemory.Share own = share;
    share = null;
    pace = null;
    bytes = 0;
    Future<?> set = timer;
    timer = null;
    if (set != null) {
      boolean _ = set.cancel(false);
    }
    if (own != null) {
      own.release();
    }
  }
}
