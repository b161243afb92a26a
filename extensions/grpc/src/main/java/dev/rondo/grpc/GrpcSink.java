package dev.rondo.grpc;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.Waitable;
import io.grpc.stub.CallStreamObserver;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The messages of this side of a call. **Back-pressure:** sending waits until the transport has
/// room. A message that was sent must not be changed.
///
/// When the call has ended, sending fails with a [dev.rondo.scheduler.ClosedException]. Its cause
/// is the [io.grpc.StatusRuntimeException] of the call, unless the call has ended in order. A
/// client sees the end when at most one response is left to be received.
///
/// If several tasks wait for room, the first that runs takes it.
///
/// Confined to the scheduler's thread. Made by [GrpcCalls].
///
/// @param <M> the type of the messages
public final class GrpcSink<M> implements SendChannel<M> {

  /// What the end of sending does to the call.
  interface Closing {

    /// Closes the sending side of the call.
    ///
    /// @param cause null for none
    void close(@Nullable Throwable cause);
  }

  private final CallLoop loop;
  private final CallChange change;
  private final Closing closing;
  private @Nullable CallStreamObserver<M> call;

  /// Null while messages may be sent.
  private @Nullable CallEnd over;

  GrpcSink(CallLoop loop, Closing closing) {
    this.loop = loop;
    this.change = new CallChange(loop);
    this.closing = closing;
  }

  /// The call is being set up.
  void bind(CallStreamObserver<M> begun) {
    call = begun;
    begun.setOnReadyHandler(() -> loop.run(this::ready));
  }

  @Override
  public void send(M message) {
    requireNonNull(message, "message is null");
    do {
      boolean _ = loop.await(room());
      if (over != null) {
        loop.scheduler().checkpoint(); // the end may have cancelled the task of the call as well
      }
    } while (!trySend(message));
  }

  /// gRPC may call this although there is no room any more.
  private void ready() {
    if (isReady()) {
      change.fire();
    }
  }

  @Override
  public void send(M message, Duration timeout) {
    requireNonNull(message, "message is null");
    var _ =
        loop.within(
            timeout,
            () -> trySend(message) ? message : null,
            () -> {
              send(message);
              return message;
            });
  }

  @Override
  public boolean trySend(M message) {
    requireNonNull(message, "message is null");
    loop.checkThread();
    CallEnd end = over;
    if (end != null) {
      throw end.exception("send to " + this);
    }
    boolean ready = isReady();
    if (ready) {
      required().onNext(message);
    }
    return ready;
  }

  @Override
  public Waitable<@Nullable Void> sending(M message) {
    requireNonNull(message, "message is null");
    return Waitable.guard(this::room)
        .<@Nullable Void>map(_ -> {
          send(message);
          return null;
        });
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

  /// Ends the messages. The server of a client's call learns that at once. The client of a server's
  /// call learns that when the code of the call returns. Never a suspension point.
  @Override
  public void close() {
    closed(null);
  }

  /// Ends the messages because of a failure. The call of a client is cancelled. The call of a
  /// server ends with this failure when its code returns. Never a suspension point.
  ///
  /// @param cause the failure; of several calls the first counts
  @Override
  public void close(Throwable cause) {
    closed(requireNonNull(cause, "cause is null: use close()"));
  }

  private void closed(@Nullable Throwable cause) {
    loop.checkThread();
    if (over == null) {
      end(CallEnd.early("this side has closed it", cause));
      closing.close(cause);
    }
  }

  @Override
  public boolean isClosedForSend() {
    loop.checkThread();
    return over != null;
  }

  /// No more messages are taken.
  void end(CallEnd end) {
    if (over == null) {
      over = end;
      change.fire();
    }
  }

  @Override
  public String toString() {
    return "a gRPC call";
  }
}
