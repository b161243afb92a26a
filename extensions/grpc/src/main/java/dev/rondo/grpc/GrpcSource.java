package dev.rondo.grpc;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The messages that the peer of a call sends. **Back-pressure:** one message is requested ahead of
/// the tasks that receive; a peer that sends faster waits.
///
/// Receiving ends in order when the peer ends its messages. If the call ends otherwise, the cause
/// of the [dev.rondo.scheduler.ClosedException] is the [io.grpc.StatusRuntimeException] of the
/// call.
///
/// If several tasks wait for a message, the first that runs takes it.
///
/// Confined to the scheduler's thread. Made by [GrpcCalls].
///
/// @param <M> the type of the messages
public final class GrpcSource<M> implements ReceiveChannel<M>, AutoCloseable {

  /// What the end of receiving does to the call.
  interface Cancelling {

    /// Cancels the receiving side of the call.
    ///
    /// @param cause null for none
    void cancel(@Nullable Throwable cause);
  }

  private final CallLoop loop;
  private final CallChange change;

  /// Asks the peer for one message.
  private final Runnable asking;

  private final Cancelling cancelling;
  private final ArrayDeque<M> messages = new ArrayDeque<>();
  private final Waitable<M> receiving;
  private final Waitable<Optional<M>> receivingOrEnd;
  private boolean asked;

  /// Null while messages may arrive.
  private @Nullable CallEnd over;

  GrpcSource(CallLoop loop, Runnable asking, Cancelling cancelling) {
    this.loop = loop;
    this.change = new CallChange(loop);
    this.asking = asking;
    this.cancelling = cancelling;
    this.receiving = Waitable.guard(this::arriving).map(_ -> receive());
    this.receivingOrEnd = Waitable.guard(this::arriving).map(_ -> awaited());
  }

  @Override
  public M receive() {
    return awaited().orElseThrow(() -> requireNonNull(over).exception("receive from " + this));
  }

  @Override
  public M receive(Duration timeout) {
    return loop.within(timeout, this::tryReceive, this::receive);
  }

  @Override
  public @Nullable M tryReceive() {
    loop.checkThread();
    M first = messages.poll();
    CallEnd end = over;
    if (first == null && end != null) {
      throw end.exception("receive from " + this);
    }
    ask();
    return first;
  }

  @Override
  public Waitable<M> receiving() {
    return receiving;
  }

  @Override
  public Waitable<Optional<M>> receivingOrEnd() {
    return receivingOrEnd;
  }

  /// Waits for a message, or an orderly end.
  private Optional<M> awaited() {
    while (true) {
      boolean _ = loop.await(arriving());
      CallEnd end = over;
      if (end != null && end.isOrderly() && messages.isEmpty()) {
        return Optional.empty();
      }
      M first = tryReceive();
      if (first != null) {
        return Optional.of(first);
      }
    }
  }

  private Waitable<Boolean> arriving() {
    ask();
    return change.unless(over != null || !messages.isEmpty());
  }

  /// The first message was asked for when the call began.
  void askedAlready() {
    asked = true;
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
    if (over == null) {
      messages.add(message);
      change.fire();
    }
  }

  /// Nothing arrives from now on.
  void end(CallEnd end) {
    if (over == null) {
      over = end;
      change.fire();
    }
  }

  @Override
  public boolean isClosedForReceive() {
    loop.checkThread();
    return over != null && messages.isEmpty();
  }

  /// Ends receiving. This cancels the call of a client, unless the call has ended. The call of a
  /// server goes on, and its client is asked for no more messages. Never a suspension point.
  ///
  /// @return the messages that arrived and were not received; empty on a second call
  @Override
  public List<M> cancel() {
    return cancelled(null);
  }

  @Override
  public List<M> cancel(Throwable cause) {
    return cancelled(requireNonNull(cause, "cause is null: use cancel()"));
  }

  private List<M> cancelled(@Nullable Throwable cause) {
    loop.checkThread();
    List<M> left = List.copyOf(messages);
    messages.clear();
    if (over == null || over.isOrderly()) {
      over = CallEnd.early("this side has cancelled it", cause);
      change.fire();
    }
    cancelling.cancel(cause);
    return left;
  }

  /// Ends receiving, as [#cancel()]. Never a suspension point.
  @Override
  public void close() {
    var _ = cancel();
  }

  @Override
  public String toString() {
    return "the messages of a gRPC call";
  }
}
