package dev.rondo.ui;

import com.google.common.base.Throwables;
import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Runs an [Application] inside the event loop of a user interface. Its tasks run *on* the UI
/// thread and may use every widget. The interface stays responsive because the application returns
/// the thread whenever no task is ready, and at the latest when its slice is over. [Swing] and
/// [JavaFx] provide hosts; for other toolkits implement [EventLoop].
///
/// ```java
/// Swing.host().run(app -> {
///   JFrame frame = newFrame();                       // on the UI thread
///   app.spawn("clock", () -> showTime(frame));       // may sleep, read sockets..
///   app.await(Swing.closing(frame));                 // straight-line code
///   frame.dispose();
///   app.shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1));
/// });
/// ```
///
/// Listeners that run between slices may call all methods of the application that do not suspend.
/// Another thread, `rondo ui poller`, waits for IO and time. A long turn delays the interface, as a
/// long listener does: yield, or use `blocking(..)`.
///
/// A host needs the CONTINUATION backend, because on the others each task has its own thread. One
/// application can run on a UI thread at a time. A slice may run in the nested event loop of a
/// modal dialog. So never open a dialog while holding a monitor, nor directly in a task: all tasks
/// would stand still until it closes. Await [#dialog] instead.
///
/// Not thread-safe, except for [#start] and [#run].
public final class UiHost {

  /// The default length of a slice. At 60 frames per second it leaves three quarters of each frame
  /// to the interface.
  public static final Duration DEFAULT_SLICE = Duration.ofMillis(4);

  private final EventLoop eventLoop;
  private final GuestRun.PollerFactory pollerFactory;
  private Duration slice = DEFAULT_SLICE;
  private @Nullable ApplicationBuilder builder;

  /// The run whose application is being built. Confined to the UI thread.
  private @Nullable GuestRun beginning;

  UiHost(EventLoop eventLoop, GuestRun.PollerFactory pollerFactory) {
    this.eventLoop = Objects.requireNonNull(eventLoop, "eventLoop is null");
    this.pollerFactory = pollerFactory;
  }

  /// {@return a host in an event loop}
  ///
  /// @param eventLoop the event loop of the user interface
  public static UiHost on(EventLoop eventLoop) {
    return new UiHost(
        eventLoop, (scheduler, run) -> new ThreadPoller(scheduler, run::onPolled, run::abandon));
  }

  /// Sets the builder of the application. The default is [Application#builder()].
  ///
  /// @param builder the builder, not to be used otherwise from now on; must not have a virtual
  ///   clock, see [#start]
  /// @return this host
  /// @throws IllegalStateException if a builder was set, or the application was started, before
  public UiHost application(ApplicationBuilder builder) {
    Objects.requireNonNull(builder, "builder is null");
    if (this.builder != null) {
      throw new IllegalStateException(
          "this host has its application's builder already: set it once, before the start, and make"
              + " a host for each application");
    }
    this.builder = builder.addOn(this::install);
    return this;
  }

  /// Sets how long tasks may use the UI thread before the interface gets it back. The last turn of
  /// a slice may exceed that. The default is [#DEFAULT_SLICE].
  ///
  /// @param budget above zero
  /// @return this host
  /// @throws IllegalArgumentException if the budget is not above zero
  public UiHost slice(Duration budget) {
    Objects.requireNonNull(budget, "budget is null");
    if (!budget.isPositive()) {
      throw new IllegalArgumentException(
          "slice must be above zero, but is " + ReportText.duration(budget));
    }
    slice = budget;
    return this;
  }

  // Running.

  /// Runs a program to its end, as [Application#run] does, and blocks the calling thread meanwhile.
  /// An interrupt of that thread stops the application. *Not* for the UI thread.
  ///
  /// @param main the program; runs on the UI thread
  /// @throws RuntimeException the failure of main, wrapped in a [TaskFailedException] if it is
  ///   checked
  /// @throws IllegalStateException on the UI thread; if the application has a virtual clock; if the
  ///   UI thread ended; or if another application runs there
  /// @throws UnsupportedOperationException if this JVM was not started for the CONTINUATION
  ///   backend; the message names the flag
  public void run(Application.Main main) {
    Objects.requireNonNull(main, "main is null");
    if (eventLoop.isUiThread()) {
      throw new IllegalStateException(
          "run on the UI thread would block it for the whole of the run: use start(..) there");
    }
    GuestRun run = begin(main);
    Throwable failure = awaitFailure(run);
    if (failure != null) {
      Throwables.throwIfUnchecked(failure);
      throw new IllegalStateException(failure);
    }
  }

  /// Waits for the end of a run. An interrupt stops the run, and the calling thread stays
  /// interrupted.
  private static @Nullable Throwable awaitFailure(GuestRun run) {
    // As a value: the future itself would wrap some failures, and unwrap others.
    CompletableFuture<Optional<Throwable>> end =
        run.end().handle((_, failure) -> Optional.ofNullable(failure));
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return end.get().orElse(null);
        } catch (InterruptedException e) {
          interrupted = true;
          run.stop();
        } catch (ExecutionException e) {
          throw new AssertionError(e); // a value cannot fail
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Starts a program as [#run(Application.Main)] does, without waiting for its end. Any thread,
  /// the UI thread included.
  ///
  /// @param main the program; runs on the UI thread, after this method has returned
  /// @return a future that completes on the UI thread, with [Application#exitCode()] or with the
  ///   exception that [#run] would throw
  /// @throws IllegalStateException if the application has a virtual clock: it would never advance,
  ///   because an application in a window also waits for its user
  /// @throws UnsupportedOperationException if this JVM was not started for the CONTINUATION
  ///   backend; the message names the flag
  public CompletableFuture<Integer> start(Application.Main main) {
    return begin(main).end();
  }

  private GuestRun begin(Application.Main main) {
    Objects.requireNonNull(main, "main is null");
    ApplicationBuilder own = ownBuilder();
    GuestRun run;
    try {
      run = new GuestRun(eventLoop, slice, pollerFactory, guest -> run(guest, own, main));
    } catch (UnsupportedOperationException e) {
      throw new UnsupportedOperationException("tasks on the UI thread: " + e.getMessage(), e);
    }
    run.begin();
    return run;
  }

  private synchronized ApplicationBuilder ownBuilder() {
    if (builder == null) {
      application(Application.builder());
    }
    ApplicationBuilder own = Objects.requireNonNull(builder);
    if (own.virtualClock().isPresent()) {
      throw new IllegalStateException(
          "virtual time would stand still in the event loop of a user interface: leave out"
              + " .clock(..), and test what needs no window with @RondoTest");
    }
    return own;
  }

  private void run(GuestRun run, ApplicationBuilder own, Application.Main main) {
    beginning = run;
    try {
      own.run(app -> {
        run.started(app);
        main.run(app);
      });
    } finally {
      beginning = null; // the run may have failed before it took this
    }
  }

  private GuestRun install(Scheduler scheduler) {
    GuestRun run = beginning;
    beginning = null;
    if (run == null) {
      throw new IllegalStateException(
          "this builder belongs to a UiHost: run the application with that host");
    }
    return run.install(scheduler);
  }

  // Waiting for the user.

  /// Makes a waitable from a modal dialog. When a task begins to wait, the dialog opens on the UI
  /// thread, outside of any task, while all other tasks continue. When the wait is given up, by a
  /// timeout, a cancellation, or another branch of a select, the dialog is closed. Each wait opens
  /// it again.
  ///
  /// Dialogs that are open at the same time return in the order of their toolkit: a dialog returns
  /// after the dialogs above it.
  ///
  /// ```java
  /// int answer = app.await(UiHost.dialog(() -> showConfirmDialog(frame, "Quit?"), () -> {}));
  /// ```
  ///
  /// @param <T> the type of the user's answer
  /// @param open opens the dialog and returns when it has closed
  /// @param close closes the dialog from outside, so that `open` returns; the result of `open` is
  ///   then dropped
  /// @return a waitable for the tasks of an application that runs in a user interface
  public static <T extends @Nullable Object> Waitable<T> dialog(
      Callable<? extends T> open, Runnable close) {
    Objects.requireNonNull(open, "open is null");
    Objects.requireNonNull(close, "close is null");
    return Waitable.guard(
        () -> new DialogWait<T>(Scheduler.current(), GuestRun.current().eventLoop(), open, close));
  }
}
