package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// One operation on a channel as something to wait for: it is tried at once, and again whenever the
/// channel is ready, until it is done. Trying, taking the result and settling the wait are one step
/// on the scheduler's thread, so a wait that is lost to another branch, a limit or a cancellation
/// has taken nothing.
///
/// The waiter is fired with this object. Results and failures stay here until the waiting task
/// takes them, so that an exception carries that task's own stack trace.
abstract class ChannelWait implements Waitable<ChannelWait> {

  /// `OP_READ` and `OP_ACCEPT` are one direction of a channel, `OP_WRITE` and `OP_CONNECT` the
  /// other.
  static final int INWARD = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;

  final ChannelRegistration registration;

  /// One bit of [SelectionKey]: the operation that the channel must be ready for.
  final int operation;

  /// Whether the operation is of the channel's inward direction.
  final boolean inward;

  /// Null while no task waits.
  private @Nullable Waiter<? super ChannelWait> waiter;

  private @Nullable Throwable failure;

  ChannelWait(ChannelRegistration registration, int operation) {
    this.registration = registration;
    this.operation = operation;
    this.inward = (operation & INWARD) != 0;
  }

  /// Tries the operation. Never blocks.
  ///
  /// @return whether it is done; its result is kept
  abstract boolean attempt() throws IOException;

  /// Tries the operation when the channel has become ready for it.
  boolean attemptWhenReady() throws IOException {
    return attempt();
  }

  /// Whether the operation waits for something else than the channel at this moment. Then the
  /// selector must not report the channel, because it would do so again and again.
  boolean isHeld() {
    return false;
  }

  @Override
  public final Scheduler scheduler() {
    return registration.reactor.scheduler;
  }

  /// The operation as the beginning of a message: "read from ...".
  @Override
  public abstract String toString();

  final IoErrors failures() {
    return registration.reactor.failures();
  }

  // For the waiting task, through the scheduler.

  @Override
  public final boolean poll(Waiter<? super ChannelWait> asking) {
    registration.requireFree(this, asking);
    return tried(false) && asking.fire(this);
  }

  @Override
  public final void arm(Waiter<? super ChannelWait> asking) {
    registration.requireFree(this, asking);
    failure = registration.unusable();
    if (failure != null) {
      asking.fire(this);
      return;
    }
    waiter = asking;
    registration.arm(this);
  }

  @Override
  public final void disarm(Waiter<? super ChannelWait> leaving) {
    if (waiter == leaving) {
      waiter = null;
      registration.settled(this);
    }
  }

  /// Throws the failure of a settled wait, in the waiting task.
  ///
  /// @throws IOException created here, with the failure as its cause
  final void throwIfFailed() throws IOException {
    Throwable why = failure;
    if (why != null) {
      failure = null;
      switch (why) {
        case ClosedChannelException e -> throw closed();
        case IOException e -> throw translated(e);
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(why);
      }
    }
  }

  /// {@return a value after the wait, in the waiting task} A failure is thrown as it is.
  static <T extends @Nullable Object> T result(ChannelWait wait, T value) {
    try {
      wait.throwIfFailed();
    } catch (IOException e) {
      throw Throwables.<RuntimeException>rethrow(e);
    }
    return value;
  }

  final ClosedChannelException closed() {
    return failures()
        .closed(
            this
                + (registration.channel.isOpen()
                    ? ": this side has shut that direction down"
                    : ": this side has closed it"));
  }

  IOException translated(IOException e) {
    return failures().of(this, e);
  }

  // For the registration.

  /// {@return the waiting task; there is one while this is armed}
  final Task<?> task() {
    Waiter<?> waiting = waiter;
    if (waiting == null) {
      throw new AssertionError("no task waits for " + this);
    }
    return waiting.task();
  }

  /// The channel is ready: tries again, and resumes the task if the operation is done.
  ///
  /// @return whether the wait is over
  final boolean advance() {
    if (!tried(true)) {
      return false;
    }
    settle();
    return true;
  }

  /// Ends the wait with a failure.
  final void fail(IOException why) {
    failure = why;
    settle();
  }

  private void settle() {
    Waiter<? super ChannelWait> waiting = waiter;
    waiter = null;
    registration.settled(this);
    boolean taken = waiting != null && waiting.fire(this);
    assert taken : "a wait that is over was not disarmed: " + this;
  }

  private boolean tried(boolean ready) {
    failure = null;
    try {
      return ready ? attemptWhenReady() : attempt();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      return true;
    }
  }
}
