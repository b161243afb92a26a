package dev.rondo.scheduler;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Elements made by code that runs only as far as somebody asks for the next: a task as an
/// [Iterator].
///
/// ```java
/// try (Generator<Integer> squares = scheduler.newGenerator("squares", sink -> {
///   for (int i = 0; ; i++) {
///     sink.yield(i * i);
///   }
/// })) {
///   while (squares.next() < 100) {}
/// }
/// ```
///
/// The body is a task of its own, a daemon, that begins with the first pull. It may do what any
/// task may: sleep, read a socket, pull other generators; whoever pulls waits meanwhile, and others
/// have their turns. A pull that is given up (cancelled, timed out) loses nothing: the element is
/// there for the next one. A body that is pulled goes to the front of the ready queue, and so does
/// who pulled when the element is there; but one pull in [#PULLS_IN_A_ROW] goes to the back, so
/// that an endless generator keeps nobody else from running.
///
/// Pulling is for stackful tasks of the scheduler. It works outside of tasks too, on the
/// scheduler's thread while nobody drives it: then it drives the scheduler until the element is
/// there, and other tasks have their turns. A step task and other threads are refused.
///
/// Close it unless it was pulled to its end: that ends the body, with its `finally` blocks. One
/// that is left open does not keep `start()` from returning, and ends when the scheduler is closed.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it makes
public final class Generator<T extends @Nullable Object> implements Iterator<T>, AutoCloseable {

  /// Makes the elements.
  ///
  /// @param <T> what it makes
  @FunctionalInterface
  public interface Body<T extends @Nullable Object> {

    /// Gives one element after the other to the sink, and returns when there are no more.
    ///
    /// @param sink takes them, at any depth of calls
    /// @throws Exception anything; who pulls gets it
    void generate(Sink<T> sink) throws Exception;
  }

  /// Where a body puts its elements.
  ///
  /// @param <T> what it takes
  public interface Sink<T extends @Nullable Object> {

    /// Hands over an element, and waits until the next is asked for. *Always* a suspension point.
    ///
    /// @param element may be null
    /// @throws TaskCancelled if the generator is closed instead
    /// @throws IllegalStateException outside of the generator's own task, or in a
    ///   [Scheduler#shielded] block while it is being closed
    void yield(T element);
  }

  /// How often in a row a pull may overtake the tasks that are ready.
  static final int PULLS_IN_A_ROW = 128;

  private final Loop loop;
  private final Task<Void> task;
  private final Produced produced = new Produced();
  private final Demanded demanded = new Demanded();
  private int pulls;

  /// The element that nobody has taken yet.
  private @Nullable T element;

  private boolean filled;

  /// Whether somebody asked for an element and the body has not made it yet.
  private boolean wanted;

  private boolean closing;

  /// How the body has ended.
  private @Nullable Outcome<Void> outcome;

  /// Whether somebody was told how it failed.
  private boolean told;

  Generator(Loop loop, String name, Body<T> body) {
    this.loop = loop;
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(body, "body");
    this.task =
        loop.scheduler
            .newTask(name, () -> body.generate(this::handOver))
            .daemon()
            .trap((self, how) -> hasEnded(how));
  }

  // The body's side.

  private void handOver(T made) {
    if (loop.currentTask() != task) {
      throw new IllegalStateException(
          "yield of " + this + " by " + loop.callerName() + ": only its own body may, in its task");
    }
    StackfulTask<?> self = loop.currentStackful("yield of a generator");
    if (closing) {
      self.yield(); // where it is told, unless it is shielded
      throw new IllegalStateException(
          this + " is being closed: nobody takes what it yields while it cleans up");
    }
    element = made;
    filled = true;
    wanted = false;
    produced.tell(isFast());
    while (!wanted) {
      self.await(demanded);
    }
  }

  private Outcome<Void> hasEnded(Outcome<Void> how) {
    outcome = how;
    boolean awaited = produced.waitingTask() != null;
    produced.tell(isFast());
    return awaited && how instanceof Outcome.Failure<Void>
        ? new Outcome.Success<>(Generator.<Void>nothing()) // who waits is told, and nobody else
        : how;
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <V> V nothing() {
    return null;
  }

  private boolean isFast() {
    return pulls % PULLS_IN_A_ROW != 0;
  }

  // The puller's side.

  /// {@return whether there is one more element} It is made if it has not been yet: a *possible*
  /// suspension point, as [#next()] is, and with the same exceptions.
  ///
  /// A failure of the body is thrown once; after that there are no more elements.
  @Override
  public boolean hasNext() {
    loop.checkCaller();
    if (!filled && outcome == null) {
      requireFree("pull");
      perform("pull", this::fill);
    }
    if (!filled && !told) {
      told = true;
      throwHowItEnded();
    }
    return filled;
  }

  /// Takes the next element. A *possible* suspension point.
  ///
  /// @return what the body yielded
  /// @throws NoSuchElementException if there are no more, or it was closed
  /// @throws CancellationException if the body's task was cancelled otherwise than by [#close()]
  /// @throws TaskCancelled if the task that pulls is cancelled
  /// @throws RuntimeException whatever the body failed with, as it is, checked or not
  /// @throws IllegalStateException if another task is pulling it, by its own body, or in a step
  ///   task
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

  @SuppressWarnings("NullAway") // it is filled: null only if the body yielded that
  private T taken() {
    return element;
  }

  private void fill() {
    StackfulTask<?> puller = loop.currentStackful("pull of a generator");
    while (!filled && outcome == null) {
      requireFree("pull"); // again: another may have come first
      demand();
      puller.await(produced);
    }
  }

  private void demand() {
    if (wanted) {
      return; // by a pull that was given up
    }
    pulls++;
    boolean begun = task.taskState() != TaskState.NEW;
    if (!begun && !task.schedule(isFast())) {
      throw new IllegalStateException(
          "pull of " + this + ", which has not begun, while the scheduler closes");
    }
    wanted = true;
    if (begun) {
      demanded.tell(isFast());
    }
  }

  private void requireFree(String call) {
    if (loop.currentTask() == task) {
      throw new IllegalStateException(
          call + " of " + this + " by its own body: yield into its sink, or return to end it");
    }
    Task<?> puller = produced.waitingTask();
    if (puller != null) {
      throw new IllegalStateException(
          "%s of %s, which task '%s' is pulling: one task at a time may"
              .formatted(call, this, puller.name()));
    }
  }

  private void throwHowItEnded() {
    switch (Objects.requireNonNull(outcome)) {
      case Outcome.Success<Void> success -> {}
      case Outcome.Failure<Void>(Throwable cause) -> throw Throwables.rethrow(cause);
      case Outcome.Cancelled<Void>(TaskCancelled cause) -> throw Completion.cancellation(cause);
    }
  }

  /// {@return what is left, as a stream} Its terminal operation is a *possible* suspension point,
  /// as [#next()] is; closing it closes the generator. Not for parallel use.
  public Stream<T> stream() {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED), false)
        .onClose(this::close);
  }

  /// Ends the body if it has not ended: what it waits in throws [TaskCancelled], and its `finally`
  /// blocks have run when this returns, even if the calling task is cancelled. An element that
  /// nobody took is dropped. Later calls do nothing. A *possible* suspension point.
  ///
  /// @throws RuntimeException whatever a `finally` block of the body failed with, as it is
  /// @throws IllegalStateException if a task is pulling it, by its own body, or in a step task
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
      told = true;
      if (outcome instanceof Outcome.Failure<Void>) {
        throwHowItEnded();
      }
    }
    told = true;
    filled = false;
    element = null;
  }

  private void endBody() throws Exception {
    StackfulTask<?> closer = loop.currentStackful("close of a generator");
    closing = true;
    filled = false;
    task.cancel(this + " is closed");
    CancelScope.shield(loop)
        .<@Nullable Void>run(() -> {
          while (outcome == null) {
            closer.await(produced);
          }
          return null;
        });
  }

  /// Runs something that waits: in the current task; or in one made for it, to whose end the
  /// scheduler is driven.
  private void perform(String what, TaskAction code) {
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

  private void drive(String what, TaskAction code) {
    Scheduler scheduler = loop.scheduler;
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
    // Not by `newTask`: a generator can be closed after an orderly stop, too.
    Task<@Nullable Void> helper =
        loop.made(new StackfulTask<@Nullable Void>(loop, what + " of " + this, whole));
    scheduler.scheduleNext(helper);
    try {
      scheduler.start();
    } finally {
      if (!helper.isDone()) { // stopped by another, interrupted, or a deadlock
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

  // What is waited for.

  /// There is an element, or there will be no more.
  private final class Produced extends StateWait {

    @Override
    boolean isSo() {
      return filled || outcome != null;
    }

    @Override
    public Task<?> holder() {
      return task;
    }

    @Override
    public String toString() {
      return "the next element of " + Generator.this;
    }
  }

  /// Somebody wants an element.
  private final class Demanded extends StateWait {

    @Override
    boolean isSo() {
      return wanted;
    }

    @Override
    public String toString() {
      return "a pull of " + Generator.this;
    }
  }

  /// Its name.
  @Override
  public String toString() {
    return "generator '" + task.name() + "'";
  }
}
