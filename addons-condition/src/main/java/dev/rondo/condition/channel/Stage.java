package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stage of a pipeline: tasks that receive from some channels and send the results to a channel
/// of their own.
///
/// The tasks end together. When all inputs have ended, the output is closed. When the receiver of
/// the output cancels, the tasks end and cancel their inputs. When a task fails, the output is
/// closed and the inputs are cancelled, with the failure as the cause. The tasks are daemons: their
/// work matters only while another task waits for the results.
final class Stage<B> {

  /// The most elements that a step task takes in one turn: enough that its sender is not woken for
  /// each element.
  private static final int ELEMENTS_PER_TURN = 32;

  private final Scheduler scheduler;
  private final String name;
  private final List<? extends Receiver<?>> inputs;
  private final Channel<B> out;
  private final List<Task<Void>> tasks = new ArrayList<>();
  private int running;
  private boolean over;

  /// The most workers, any number. A worker is made when it is needed.
  private int workers;

  /// The number of workers that wait for an element, or are about to.
  private int idleWorkers;

  /// The failure of an input of the workers. They first finish the elements that they have
  /// received.
  private @Nullable Throwable inputFailure;

  private Stage(String name, List<? extends Receiver<?>> inputs, int capacity) {
    this.scheduler = channelOf(inputs.getFirst()).scheduler;
    this.name = name;
    this.inputs = List.copyOf(inputs);
    this.out = Channel.ofStage(this, scheduler, capacity).named(name);
  }

  // The kinds.

  static <A, B> Receiver<B> of(String name, Receiver<A> input, int capacity, Work<A, B> work) {
    var stage = new Stage<B>(name, List.of(input), capacity);
    stage.addMover(channelOf(input), work);
    return stage.out;
  }

  static <T> Receiver<T> merging(List<? extends Receiver<? extends T>> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("merge needs at least one receiver");
    }
    var stage = new Stage<T>("merge", inputs, 0);
    for (Receiver<? extends T> each : inputs) {
      stage.addMerged(each);
    }
    return stage.out;
  }

  private <A extends B> void addMerged(Receiver<A> input) {
    addMover(channelOf(input), new Work.Passing<>());
  }

  static <A, B> Receiver<B> concurrent(
      Receiver<A> input, int workers, Mapper<? super A, ? extends B> mapper) {
    requireNonNull(mapper, "mapper is null");
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be at least 1, but is " + workers);
    }
    var stage = new Stage<B>("mapConcurrently", List.of(input), 0);
    stage.workers = workers;
    stage.addWorker(channelOf(input), mapper);
    return stage.out;
  }

  static <T> Channel<T> channelOf(Receiver<T> receiver) {
    return switch (receiver) {
      case Channel<T> channel -> channel;
      case Subscription<T> subscription -> subscription.channel();
    };
  }

  // Its tasks.

  private <A> void addMover(Channel<A> in, Work<A, B> work) {
    begin(scheduler.host().newStepTask(name, new Mover<>(in, work)));
  }

  private <A> void addWorker(Channel<A> in, Mapper<? super A, ? extends B> mapper) {
    idleWorkers++;
    begin(scheduler.newTask(name, () -> work(in, mapper)));
  }

  private void begin(Task<Void> task) {
    running++;
    tasks.add(task);
    task.daemon().trap((ended, outcome) -> ended(outcome));
    var _ = scheduler.scheduleTask(task);
  }

  /// Called when one of the tasks has ended. A failure goes to the receiver of the elements, not to
  /// the scheduler's failure handler.
  private Outcome<Void> ended(Outcome<Void> outcome) {
    running--;
    return switch (outcome) {
      case Outcome.Success<Void> success -> {
        if (running == 0) {
          end();
        }
        yield success;
      }
      case Outcome.Failure<Void> failure -> {
        fail(failure.cause());
        yield failure.cause() instanceof Exception ? nothing() : failure;
      }
      case Outcome.Cancelled<Void> cancelled -> {
        fail(cancelled.cause());
        yield cancelled;
      }
    };
  }

  @SuppressWarnings("NullAway") // Void has no other value
  private static Outcome<Void> nothing() {
    return new Outcome.Success<>(null);
  }

  /// Ends the stage when all of its tasks have.
  private void end() {
    Throwable failure = inputFailure;
    if (failure == null) {
      out.close();
    } else {
      fail(failure);
    }
  }

  /// Ends the stage because of a failure.
  private void fail(Throwable cause) {
    out.close(cause);
    giveUp(cause);
  }

  /// Ends the stage because its receiver has cancelled.
  void giveUp(@Nullable Throwable cause) {
    if (over) {
      return;
    }
    over = true;
    for (Receiver<?> each : inputs) {
      var _ = cause == null ? each.cancel() : each.cancel(cause);
    }
    for (Task<Void> each : tasks) {
      var _ = each.cancel("stage '" + name + "' of a pipeline was cancelled");
    }
  }

  /// Called when an input has ended and its elements have gone out. If the input has failed, the
  /// others are given up.
  private void inputEnded(Channel<?> in, Closing closing) {
    Throwable failure = closing.failure(in);
    if (failure != null) {
      fail(failure);
    }
  }

  /// The body of a worker, whose function may suspend. The last idle worker makes the next.
  private <A> void work(Channel<A> in, Mapper<? super A, ? extends B> mapper) throws Exception {
    while (true) {
      Object came = scheduler.host().awaitEvent(in.rawReceiving());
      if (came instanceof Closing closing) {
        inputFailure = closing.failure(in);
        return;
      }
      idleWorkers--;
      if (idleWorkers == 0 && tasks.size() < workers && !over) {
        addWorker(in, mapper);
      }
      out.send(Work.Mapping.<A, B>apply(mapper, in.element(came)));
      idleWorkers++;
    }
  }

  /// The body of a step task: receives elements while there are any, and waits until each result is
  /// taken.
  private final class Mover<A> implements StepBody<Void> {

    private final Channel<A> in;
    private final Work<A, B> work;

    /// The result to send next.
    private @Nullable B pending;

    /// How the input has ended; null before.
    private @Nullable Closing end;

    Mover(Channel<A> in, Work<A, B> work) {
      this.in = in;
      this.work = work;
    }

    @Override
    public StepResult step(StepTask<Void> self) throws Exception {
      Object came = self.received();
      if (pending != null) {
        pending = null; // it was sent, or the output is closed
        came = null;
      }
      for (int left = ELEMENTS_PER_TURN; ; left--) {
        if (came != null) {
          pending = take(came);
        }
        if (out.isClosedForSend()) {
          return StepResult.DONE;
        }
        B result = pending;
        if (result != null) {
          if (!out.trySend(result)) {
            return self.await(out.rawSending(result));
          }
          pending = null;
        }
        if (end != null) {
          inputEnded(in, end);
          return StepResult.DONE;
        }
        came = left > 0 ? in.take() : work.isOverdue() ? TimeIsUp.TIME_IS_UP : null;
        if (came == null) {
          return self.await(next());
        }
      }
    }

    /// Returns the result for the outcome of a wait.
    private @Nullable B take(Object came) throws Exception {
      return switch (came) {
        case Closing closing -> {
          end = closing;
          yield work.rest();
        }
        case TimeIsUp up -> work.rest();
        default -> work.take(in.element(came));
      };
    }

    private Waitable<Object> next() {
      Duration patience = work.patience();
      return patience == null
          ? in.rawReceiving()
          : Waitable.anyOf(
              List.of(in.rawReceiving(), Delay.of(patience).map(nothing -> TimeIsUp.TIME_IS_UP)));
    }
  }

  /// The result of a wait for an element that took too long.
  private enum TimeIsUp {
    TIME_IS_UP
  }
}
