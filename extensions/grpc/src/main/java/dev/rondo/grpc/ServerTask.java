package dev.rondo.grpc;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The task of one call that a server answers.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
final class ServerTask {

  private static final String CANCELLED =
      "the client has cancelled the call, or its deadline has passed";

  private static final Status SERVER_CANCELLED =
      Status.CANCELLED.withDescription("the server has cancelled the call");

  private static final Status TIMED_OUT =
      Status.DEADLINE_EXCEEDED.withDescription("a time limit of the server has passed");

  private static final Status FAILED = Status.UNKNOWN.withDescription("the call has failed");
  private static final Status SERVER_ENDS = Status.UNAVAILABLE.withDescription("the server ends");

  private static final CallEnd ENDED = CallEnd.early("the server has ended the call", null);

  private final CallLoop loop;
  private final Scheduler scheduler;
  private final ServerCallStreamObserver<?> call;
  private final Consumer<CallEnd> ends;

  /// The name of the call in dumps and reports.
  private final String name;

  private @Nullable Task<Void> task;
  private boolean cancelled;
  private boolean answered;

  /// To be called on the thread on which gRPC calls the service.
  ///
  /// @param call that is being set up
  /// @param ends the source and the sink of the call, which other tasks may wait for
  ServerTask(CallLoop loop, ServerCallStreamObserver<?> call, Consumer<CallEnd> ends) {
    this.loop = loop;
    this.scheduler = loop.scheduler();
    this.call = call;
    this.ends = ends;
    this.name = MethodNames.nameOfCall();
    call.setOnCancelHandler(() -> loop.run(this::cancel));
  }

  /// Runs the call. The same thread.
  void start(TaskAction<?> code) {
    loop.run(() -> begin(code));
  }

  private void begin(TaskAction<?> code) {
    if (!cancelled) {
      task = scheduler.spawn(name, () -> run(code)).trap(Trap.onEnd(_ -> ended()));
    }
  }

  private void run(TaskAction<?> code) {
    try {
      code.run();
      answered = true;
      call.onCompleted();
    } catch (TaskCancelled e) {
      throw e;
    } catch (Exception | Error e) { // only this call has failed, even with a StackOverflowError
      answer(statusOf(e));
    }
  }

  private Exception statusOf(Throwable failure) {
    Throwable thrown = failure;
    while ((thrown instanceof TaskFailedException || thrown instanceof ClosedException)
        && thrown.getCause() != null) {
      thrown = thrown.getCause(); // of a task that the code has joined, or of a stream
    }
    if (thrown instanceof StatusException || thrown instanceof StatusRuntimeException) {
      return (Exception) thrown;
    }
    if (thrown instanceof CancellationException) { // of a task, or a future, that the code awaited
      return statusOfCancellation().asRuntimeException();
    }
    if (!call.isCancelled()) {
      scheduler.host().report(name, failure);
    }
    return (thrown instanceof TimedOutException ? TIMED_OUT : FAILED).asRuntimeException();
  }

  private void answer(Exception status) {
    answered = true;
    call.onError(status);
  }

  private void ended() {
    ends.accept(ENDED);
    if (!answered && !call.isCancelled()) {
      answer(statusOfCancellation().asRuntimeException());
    }
  }

  private Status statusOfCancellation() {
    return LoopControl.of(scheduler.host()).isEnding() ? SERVER_ENDS : SERVER_CANCELLED;
  }

  private void cancel() {
    cancelled = true;
    Task<Void> running = task;
    if (running != null) {
      boolean _ = running.cancel(CANCELLED);
    }
    Status status = Status.CANCELLED.withDescription(CANCELLED);
    ends.accept(CallEnd.early(CANCELLED, status.asRuntimeException()));
  }
}
