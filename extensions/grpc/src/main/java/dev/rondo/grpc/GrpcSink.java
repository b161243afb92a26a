package dev.rondo.grpc;

import dev.rondo.scheduler.Waitable;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.CallStreamObserver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where the messages of a call are sent to. **Back-pressure:** sending waits until the transport
/// has room.
///
/// Any number of tasks may send. Confined to the scheduler's thread. Made by [GrpcCalls].
///
/// @param <M> the type of the messages
public final class GrpcSink<M> {

  private final CallLoop loop;
  private final CallChange change;
  private final Waitable<GrpcSink<M>> sendable;
  private @Nullable CallStreamObserver<M> call;
  private @Nullable Status over;

  GrpcSink(CallLoop loop) {
    this.loop = loop;
    this.change = new CallChange(loop);
    this.sendable = Waitable.guard(this::room).map(_ -> awaited());
  }

  /// The call is being set up.
  void bind(CallStreamObserver<M> begun) {
    call = begun;
    begun.setOnReadyHandler(() -> loop.run(change::fire));
  }

  /// Sends a message: waits until there is room, and hands it to the transport. A *possible*
  /// suspension point.
  ///
  /// @param message must not be changed
  /// @throws StatusRuntimeException if the call has ended
  public void send(M message) {
    Objects.requireNonNull(message, "message is null");
    var _ = awaited();
    Status ended = over;
    if (ended != null) {
      loop.scheduler().checkpoint(); // the end may have cancelled the task of the call as well
      throw ended.asRuntimeException();
    }
    required().onNext(message);
  }

  /// {@return a wait until there is room for another message, or the call has ended}
  public Waitable<GrpcSink<M>> sendable() {
    return sendable;
  }

  private GrpcSink<M> awaited() {
    do {
      boolean _ = loop.await(room());
    } while (!isReady());
    return this;
  }

  private Waitable<Boolean> room() {
    return change.unless(isReady());
  }

  private boolean isReady() {
    return over != null || required().isReady();
  }

  private CallStreamObserver<M> required() {
    CallStreamObserver<M> begun = call;
    if (begun == null) {
      throw new IllegalStateException("the call has not begun");
    }
    return begun;
  }

  /// Ends the messages of a client, unless the call has ended.
  void complete() {
    if (over == null) {
      required().onCompleted();
    }
  }

  /// The call has ended.
  void end(Status status) {
    if (over == null) {
      over = status;
      change.fire();
    }
  }
}
