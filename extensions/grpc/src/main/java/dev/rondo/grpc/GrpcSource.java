package dev.rondo.grpc;

import dev.rondo.scheduler.Waitable;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The messages that the peer of a call sends. **Back-pressure:** one message is asked for ahead of
/// the tasks that receive; a peer that sends faster waits.
///
/// Messages are received by any number of tasks. A wait that is cancelled, times out or loses a
/// select has received nothing.
///
/// Confined to the scheduler's thread. Made by [GrpcCalls].
///
/// @param <M> the type of the messages
public final class GrpcSource<M> implements AutoCloseable {

  private final CallLoop loop;
  private final CallChange change;

  /// Asks the peer for one message.
  private final Runnable asking;

  private final Runnable closing;
  private final ArrayDeque<M> messages = new ArrayDeque<>();
  private final Waitable<@Nullable M> receiving;
  private boolean asked;

  /// Null while messages may arrive.
  private @Nullable Status over;

  private @Nullable Metadata trailers;

  GrpcSource(CallLoop loop, Runnable asking, Runnable closing) {
    this.loop = loop;
    this.change = new CallChange(loop);
    this.asking = asking;
    this.closing = closing;
    this.receiving = Waitable.guard(this::arriving).<@Nullable M>map(_ -> receive());
  }

  /// Receives a message. A *possible* suspension point.
  ///
  /// @return the message; null if the peer has ended in order
  /// @throws StatusRuntimeException with the status of a call that has ended otherwise
  public @Nullable M receive() {
    while (true) {
      boolean _ = loop.await(arriving());
      if (isHere()) {
        return taken();
      }
    }
  }

  /// {@return a wait for a message, which results in what [#receive()] returns} To be awaited with
  /// a limit or as a branch of a choice. A branch that is not taken receives nothing.
  public Waitable<@Nullable M> receiving() {
    return receiving;
  }

  private Waitable<Boolean> arriving() {
    ask();
    return change.unless(isHere());
  }

  private boolean isHere() {
    return over != null || !messages.isEmpty();
  }

  private @Nullable M taken() {
    M first = messages.poll();
    if (first != null) {
      ask();
      return first;
    }
    Status ended = over;
    if (ended == null || ended.isOk()) {
      return null;
    }
    throw ended.asRuntimeException(trailers);
  }

  private void ask() {
    if (!asked && over == null && messages.isEmpty()) {
      asked = true;
      loop.soon(asking);
    }
  }

  /// A message has arrived.
  void arrived(M message) {
    asked = false;
    messages.add(message);
    change.fire();
  }

  /// Nothing arrives from now on.
  ///
  /// @param why of which status; null if the messages end in order
  void end(@Nullable Throwable why) {
    if (over == null) {
      trailers = why == null ? null : Status.trailersFromThrowable(why);
      end(why == null ? Status.OK : Status.fromThrowable(why).withCause(why));
    }
  }

  /// Nothing arrives from now on.
  void end(Status status) {
    if (over == null) {
      over = status;
      change.fire();
    }
  }

  /// Gives the call up: a client's is cancelled, unless it has ended. Of a server's call nothing
  /// happens. Never a suspension point.
  @Override
  public void close() {
    loop.scheduler().host().checkThread();
    closing.run();
  }
}
