package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Faces;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Throwables;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The implementation of [Generator]: a task that makes the elements, and two events, one for each
/// direction.
///
/// @param <T> the type of the elements
public final class GeneratorCore<T extends @Nullable Object> extends Generator<T> {

  /// The number of pulls in a row that may overtake the ready tasks.
  static final int PULLS_IN_A_ROW = 128;

  private final Loop loop;
  private final SchedulerCore scheduler;
  private final TaskCore<Void> task;
  private final Produced produced = new Produced();
  private final Demanded demanded = new Demanded();
  private int pulls;

  /// The element that has not been taken yet.
  private @Nullable T element;

  private boolean filled;

  /// Whether a consumer has asked for an element that the body has not made yet.
  private boolean wanted;

  private boolean closing;

  /// The task that closes the generator and waits for the end of the body; null if none does.
  private @Nullable TaskCore<?> closer;

  /// The outcome of the body; null while it runs.
  private @Nullable Outcome<Void> outcome;

  /// Whether no consumer will receive the end of the body any more, because one has received it or
  /// none can.
  private boolean endReported;

  /// Makes a generator.
  public static <T extends @Nullable Object> Generator<T> of(
      SchedulerCore scheduler, String name, Body<T> body) {
    return new GeneratorCore<>(scheduler, name, body);
  }

  private GeneratorCore(SchedulerCore scheduler, String name, Body<T> body) {
    this.loop = scheduler.loop;
    this.scheduler = scheduler;
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(body, "body is null");
    this.task =
        scheduler.taskFactory.stackful(name, Faces.callable(() -> body.generate(this::handOver)));
    task.daemon().trap((self, how) -> hasEnded(how));
  }

  // The body's side.

  private void handOver(T made) {
    if (loop.currentTask() != task) {
      throw new IllegalStateException(
          "yield of " + this + " by " + loop.callerName() + ": only its own body may, in its task");
    }
    StackfulTask<?> self = loop.currentStackful("yield of a generator");
    requireOpen(self);
    while (filled) { // an exception has ended the earlier yield
      awaitDemand(self);
    }
    element = made;
    filled = true;
    wanted = false;
    produced.wake(place());
    while (!wanted) {
      awaitDemand(self);
    }
  }

  private void awaitDemand(StackfulTask<?> self) {
    self.awaitEvent(demanded);
    requireOpen(self);
  }

  private void requireOpen(StackfulTask<?> self) {
    if (closing) {
      self.yield(); // receives the cancellation, unless the body is shielded
      throw new IllegalStateException(
          this + " is being closed: no consumer takes what it yields while it cleans up");
    }
  }

  private Outcome<Void> hasEnded(Outcome<Void> how) {
    outcome = how;
    boolean awaited = produced.waitingTask() != null;
    produced.wake(place());
    return awaited && how instanceof Outcome.Failure<Void>
        ? new Outcome.Success<>(
            GeneratorCore.<Void>nothing()) // only the waiting consumer receives it
        : how;
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <V> V nothing() {
    return null;
  }

  /// The place at which the task that the other side wakes joins the ready queue. This is the
  /// front, except that once in a while the ready tasks have their turns first.
  private Place place() {
    return pulls % PULLS_IN_A_ROW != 0 ? Place.FRONT : Place.BACK;
  }

  // The puller's side.

  @Override
  public boolean hasNext() {
    loop.checkCaller();
    if (!filled && outcome == null) {
      requireFree("pull");
      perform("pull", this::fill);
    }
    if (!filled && !endReported) {
      endReported = true;
      throwHowItEnded();
    }
    return filled;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException(this + " has no more elements");
    }
    T taken = taken();
    element = null;
    filled = false;
    return taken;
  }

  @SuppressWarnings("NullAway") // the element is there: null only if the body yielded null
  private T taken() {
    return element;
  }

  private void fill() {
    StackfulTask<?> puller = loop.currentStackful("pull of a generator");
    while (!filled && outcome == null) { // again, because another task may have come first
      puller.awaitEvent(produced);
    }
  }

  private void demand() {
    if (wanted) {
      return; // asked for by a pull that was given up
    }
    pulls++;
    boolean begun = task.taskState() != TaskState.NEW;
    if (!begun && !task.schedule(place())) {
      throw new IllegalStateException(
          "pull of " + this + ", which has not begun, while the scheduler closes");
    }
    wanted = true;
    if (begun) {
      demanded.wake(place());
    }
  }

  private void requireFree(String call) {
    if (loop.currentTask() == task) {
      throw new IllegalStateException(
          call + " of " + this + " by its own body: yield into its sink, or return to end it");
    }
    TaskCore<?> other = closer == null ? produced.waitingTask() : closer;
    if (other != null && other != loop.currentTask()) {
      throw new IllegalStateException(
          "%s of %s, which task '%s' is %s: one task at a time may"
              .formatted(call, this, other.name(), closer == null ? "pulling" : "closing"));
    }
  }

  private void throwHowItEnded() {
    switch (Objects.requireNonNull(outcome)) {
      case Outcome.Success<Void> success -> {}
      case Outcome.Failure<Void>(Throwable cause) -> throw Throwables.rethrow(cause);
      case Outcome.Cancelled<Void>(TaskCancelled cause) -> throw Throwables.cancellation(cause);
    }
  }

  @Override
  public void close() {
    loop.checkCaller();
    if (outcome == null) {
      requireFree("close");
      if (task.taskState() == TaskState.NEW) {
        task.cancel(this + " is closed"); // no body to wait for
      } else {
        perform("close", this::endBody);
      }
      endReported = true;
      if (outcome instanceof Outcome.Failure<Void>) {
        throwHowItEnded();
      }
    }
    endReported = true;
    filled = false;
    element = null;
  }

  private void endBody() throws Exception {
    StackfulTask<?> self = loop.currentStackful("close of a generator");
    closing = true;
    filled = false;
    task.cancel(this + " is closed");
    demanded.wake(place()); // a body that yields in a shield
    closer = self;
    try {
      ScopeCore.shield(loop)
          .run(() -> {
            while (outcome == null) {
              var _ = self.withoutScheduling(() -> self.<@Nullable Void>await(produced));
            }
          });
    } finally {
      closer = null;
    }
  }

  /// Runs code that waits. Outside of tasks, runs it in a new task, and drives the scheduler until
  /// that task has ended.
  private void perform(String what, TaskAction<?> code) {
    if (loop.currentTask() == null) {
      drive(what, code);
      return;
    }
    try {
      code.run();
    } catch (Exception e) {
      throw Throwables.rethrow(e);
    }
  }

  private void drive(String what, TaskAction<?> code) {
    var refused = new @Nullable IllegalStateException[1];
    Callable<@Nullable Void> whole =
        () -> {
          try {
            code.run();
          } catch (IllegalStateException e) {
            refused[0] = e;
          } finally {
            scheduler.stop();
          }
          return null;
        };
    // Not by `newTask`: a generator can be closed after a shutdown, too.
    TaskCore<@Nullable Void> helper =
        loop.made(new StackfulTask<@Nullable Void>(loop, what + " of " + this, whole));
    helper.schedule(Place.FRONT);
    try {
      scheduler.start();
    } finally {
      if (!helper.isDone()) { // stopped by other code, interrupted, or a deadlock
        helper.cancel("the scheduler stopped meanwhile");
        while (!helper.isDone() && scheduler.step()) {}
      }
    }
    if (refused[0] != null) {
      throw refused[0];
    }
    if (!(helper.outcome() instanceof Outcome.Success<?>)) {
      throw new IllegalStateException(
          "the scheduler was stopped before the " + what + " of " + this + " was over");
    }
  }

  // The events that tasks wait for.

  /// True when there is an element, or when no more elements will come.
  private final class Produced extends StateWait {

    @Override
    boolean isMet() {
      return filled || outcome != null;
    }

    /// Asks for the element. From here to the arming no other task has a turn: the engine calls
    /// this when it has given way, if it had to.
    @Override
    public Waitable<@Nullable Void> prepared(Task<?> waiting) {
      if (!isMet()) {
        requireFree("pull");
        if (!closing) {
          demand();
        }
      }
      return this;
    }

    @Override
    public TaskCore<?> holder() {
      return task;
    }

    @Override
    public String toString() {
      return "the next element of " + GeneratorCore.this;
    }
  }

  /// True when a consumer has asked for an element, or will never do so.
  private final class Demanded extends StateWait {

    @Override
    boolean isMet() {
      return wanted || closing;
    }

    @Override
    public String toString() {
      return "a pull of " + GeneratorCore.this;
    }
  }

  @Override
  public String toString() {
    return "generator '" + task.name() + "'";
  }
}
