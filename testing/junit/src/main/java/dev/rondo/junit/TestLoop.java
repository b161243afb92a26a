package dev.rondo.junit;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/// An application under virtual time on a thread of its own. JUnit's thread waits for the end of
/// each call up to a limit, so that it can inspect and abandon a test that hangs.
final class TestLoop {

  /// How long a loop that hangs may take to answer a request for a dump.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// The code of a test method.
  interface Body {
    void run() throws Throwable;
  }

  private final Plan plan;
  private final RunParameters added;
  private final Choices choices;
  private final TestThread thread;
  private final Duration limit;
  private final VirtualClock clock = new VirtualClock();
  private final UnobservedFailures failures = new UnobservedFailures();

  /// Null if the run is not recorded.
  private final @Nullable RunPicture picture;

  /// Null if the run has no limit but that of real time.
  private @Nullable TurnLimit turns;

  /// Written by the loop's thread; JUnit's thread reads it for a dump.
  private volatile @Nullable Application application;

  /// Whether the limit was exceeded; JUnit's thread then waits for the loop no more.
  private volatile boolean hung;

  /// @param picture records the run; null if nothing does
  TestLoop(
      Plan plan, Method test, Choices choices, TestThread thread, @Nullable RunPicture picture) {
    this(plan, test, choices, thread, picture, plan.limit());
  }

  /// @param limit of the whole run, in real time
  private TestLoop(
      Plan plan,
      Method test,
      Choices choices,
      TestThread thread,
      @Nullable RunPicture picture,
      Duration limit) {
    this.picture = picture;
    this.plan = plan;
    this.added = new RunParameters(test);
    this.choices = choices;
    this.thread = thread;
    this.limit = limit;
  }

  /// {@return the loop of a run after one that has failed: its turns are counted, and an attempt at
  /// a simpler run is given up}
  ///
  /// @param longest what the longest run so far has taken, in real time
  /// @param picture records the run; null if nothing does
  static TestLoop ofAttempt(
      Plan plan,
      Method test,
      Choices choices,
      Duration longest,
      TestThread thread,
      @Nullable RunPicture picture) {
    Duration limit = choices.isReplay() ? plan.limit() : plan.limitOfAttempt(longest);
    var made = new TestLoop(plan, test, choices, thread, picture, limit);
    made.turns = new TurnLimit(choices);
    return made;
  }

  /// {@return whether it has exceeded the limit}
  boolean isHung() {
    return hung;
  }

  /// Waits up to the limit until a run that hangs has ended after all. A simulated world may share
  /// state with the next one; an application does not.
  void awaitEnd() {
    if (added.areUsed()) {
      thread.awaitEnd(limit);
    }
  }

  /// Builds the application.
  void open() throws Exception {
    application =
        call(() -> {
          added.open(choices);
          ApplicationBuilder builder = plan.application(choices).clock(clock);
          if (picture != null) {
            picture.record(builder, added);
          }
          return built(builder.failureHandler(failures::add));
        });
  }

  private Application built(ApplicationBuilder builder) {
    TurnLimit counted = turns;
    if (counted == null) {
      return builder.build();
    }
    Application built = builder.scheduler(it -> it.listener(counted)).build();
    counted.limits(built.scheduler());
    return built;
  }

  /// {@return the values that methods can have as parameters, by their type}
  Map<Class<?>, Object> parameters() {
    Application opened = opened();
    Map<Class<?>, Object> values = added.values();
    values.put(Application.class, opened);
    values.put(Scheduler.class, opened.scheduler());
    values.put(VirtualClock.class, clock);
    values.put(UnobservedFailures.class, failures);
    values.put(RandomGenerator.class, choices);
    values.put(Choices.class, choices);
    return values;
  }

  private Application opened() {
    Application opened = application;
    if (opened == null) {
      throw new IllegalStateException("the application was not built");
    }
    return opened;
  }

  // Tasks.

  /// Runs a body as a task, until that task ends. Tasks that it has spawned continue in the next
  /// call.
  void runTask(String name, Body body) throws Throwable {
    Throwable failure =
        call(() -> {
          var guarded = new Guarded(body);
          if (added.areUsed()) {
            guarded.run();
            return drawn(guarded.failure);
          }
          Scheduler scheduler = opened().scheduler();
          Task<Void> task = scheduler.newTask(name, guarded::run);
          task.addListener(scheduler::stop, Runnable::run);
          scheduler.scheduleTask(task);
          Throwable found;
          try {
            RuntimeException before = exceeded();
            scheduler.start();
            RuntimeException exceeded = exceeded();
            found = exceeded == before ? guarded.failure(task) : exceeded;
          } catch (DeadlockException e) {
            found = new AssertionError("'" + name + "' hangs: " + e.getMessage(), e);
          }
          return drawn(found);
        });
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable RuntimeException exceeded() {
    return turns == null ? null : turns.exceeded();
  }

  /// Draws a failure.
  private @Nullable Throwable drawn(@Nullable Throwable failure) {
    if (picture != null && failure != null) {
      picture.failed(failure);
    }
    return failure;
  }

  /// Keeps the throwable of a body, whatever its type.
  private static final class Guarded {

    private final Body body;
    private @Nullable Throwable failure;

    Guarded(Body body) {
      this.body = body;
    }

    void run() {
      try {
        body.run();
      } catch (Throwable e) {
        failure = e;
      }
    }

    @Nullable Throwable failure(Task<Void> task) {
      if (failure != null) {
        return failure;
      }
      return switch (task.outcome()) {
        case Outcome.Success<Void> _ -> null;
        case Outcome.Failure<Void>(Throwable cause) -> cause;
        case Outcome.Cancelled<Void> cancelled -> new AssertionError(task + ": " + cancelled);
        case null ->
            new AssertionError(
                task
                    + " has not ended, because the application was stopped; to test code that stops"
                    + " its application, run another one: Application.builder().clock("
                    + "new VirtualClock()).run(..)");
      };
    }
  }

  // The end.

  /// Closes the application and fails if something was left behind or a failure was not observed.
  /// If the test has failed already, unobserved failures may be the reason; they are suppressed in
  /// its failure. A test that was aborted fails if another failure was not observed, but may leave
  /// something behind.
  ///
  /// @param failed the failure of the test, or what aborted it; null if it has passed
  @SuppressWarnings("ReferenceEquality") // a throwable cannot suppress itself
  void close(@Nullable Throwable failed) throws Exception {
    String left = "";
    if (!hung && application != null) { // a loop that hangs closes itself if it ever continues
      left =
          call(() -> {
            try (Application closed = opened()) {
              added.close();
              return LeakCheck.of(closed);
            } catch (Exception | Error e) {
              Throwable _ = drawn(e);
              throw e;
            }
          });
    }
    boolean hidesFailures = failed instanceof TestAbortedException && failures.areMoreThanAborts();
    if (failed != null && !hidesFailures) {
      failures.take().stream().filter(each -> each != failed).forEach(failed::addSuppressed);
    } else {
      failures.requireNone();
      if (!left.isEmpty()) {
        throw new AssertionError(left);
      }
    }
  }

  // The thread.

  /// Makes a call on the loop's thread.
  ///
  /// @throws AssertionError with a dump, if it takes longer than the limit
  <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
    try {
      return thread.call(work, limit);
    } catch (TimeoutException e) {
      throw hangs(
          "it has not ended within "
              + ReportText.duration(limit)
              + " of real time (limitSeconds of @RondoTest)",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw hangs("JUnit's thread was interrupted", e);
    }
  }

  private AssertionError hangs(String why, Exception cause) {
    hung = true;
    RunChoices.of(choices).giveUp();
    var report = new AssertionError("the test hangs: " + why + "\n" + dump(), cause);
    Application left = application;
    if (left != null) {
      left.scheduler().stop(); // its tasks may wait in a loop
      thread.later(() -> closeLate(left));
    }
    thread.end();
    Thread stuck = thread.thread();
    if (stuck != null) {
      report.setStackTrace(stuck.getStackTrace());
      stuck.interrupt();
    }
    return report;
  }

  private void closeLate(Application left) {
    try (left) {
      added.close();
    } catch (Exception | AssertionError _) {
      // the failure of the run is that it hangs
    }
  }

  private String dump() {
    Application stuck = application;
    var text = new StringBuilder();
    boolean interrupted = Thread.interrupted(); // the interrupt would cut the wait short
    try {
      if (stuck != null) {
        Loops.dump(stuck.scheduler(), DumpFormat.TEXT, text, PATIENCE);
      }
    } catch (IOException | RuntimeException e) {
      text.append("no dump: ").append(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return text.toString();
  }
}
