package dev.rondo.application.ui;

import com.google.common.base.Throwables;
import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Runs an [Application] inside the event loop of a user interface: its tasks run *on* the UI
/// thread, so they may touch every widget, and the interface stays alive, because the application
/// gives the thread back whenever it has nothing to do, and at the latest when its slice is over.
/// For [Swing] and [JavaFx] there are hosts ready; for others implement [EventLoop].
///
/// ```
/// Swing.host().run(app -> {
///   JFrame frame = newFrame();                       // on the UI thread
///   app.spawn("clock", () -> showTime(frame));       // may sleep, read sockets..
///   app.await(Swing.closing(frame));                 // straight-line code
///   frame.dispose();
///   app.stop(Duration.ofSeconds(1));
/// });
/// ```
///
/// Listeners that run between slices may use the application as its tasks do, but for what
/// suspends. Waiting for IO and time is done by another thread, `rondo ui poller`. A turn that is
/// too long makes the interface stutter, as any listener would: yield, or use `blocking(..)`.
///
/// It needs the CONTINUATION backend: on the others tasks have threads of their own. One
/// application can run on a UI thread at a time. A slice may run in the nested event loop of a
/// modal dialog; so never open one while holding a monitor, nor inside of a task, where everything
/// stands still until it closes: await [#dialog].
///
/// Not thread-safe, but for [#start] and [#run].
public final class UiHost {

  /// How long a slice is unless it is told otherwise: it leaves three quarters of a frame, at 60
  /// per second, to the interface.
  public static final Duration DEFAULT_SLICE = Duration.ofMillis(4);

  private final EventLoop eventLoop;
  private final GuestRun.PollerFactory pollerFactory;
  private Duration slice = DEFAULT_SLICE;
  private @Nullable ApplicationBuilder builder;

  /// The run whose application is being built. Confined to the UI thread.
  private @Nullable GuestRun beginning;

  UiHost(EventLoop eventLoop, GuestRun.PollerFactory pollerFactory) {
    this.eventLoop = Objects.requireNonNull(eventLoop, "eventLoop");
    this.pollerFactory = pollerFactory;
  }

  /// {@return a host in an event loop of one's own kind}
  ///
  /// @param eventLoop of the user interface
  public static UiHost on(EventLoop eventLoop) {
    return new UiHost(
        eventLoop, (scheduler, run) -> new ThreadPoller(scheduler, run::onPolled, run::abandon));
  }

  /// Sets how the application is built. The default is [Application#builder()].
  ///
  /// @param builder from now on this host's alone; without a virtual clock, see [#start]
  /// @return this host
  /// @throws IllegalStateException if one was set, or the application was started
  public UiHost application(ApplicationBuilder builder) {
    if (this.builder != null) {
      throw new IllegalStateException("this host has its application's builder already");
    }
    this.builder = builder.addOn(this::install);
    return this;
  }

  /// Sets how long tasks may use the UI thread until the interface has it again. The last turn of a
  /// slice may take it longer than that. The default is [#DEFAULT_SLICE].
  ///
  /// @param budget above zero
  /// @return this host
  /// @throws IllegalArgumentException if it is not
  public UiHost slice(Duration budget) {
    if (!budget.isPositive()) {
      throw new IllegalArgumentException("slice must be above zero, but is " + budget);
    }
    slice = budget;
    return this;
  }

  // Running.

  /// Runs a program to its end, as [Application#run] does, and blocks the calling thread meanwhile;
  /// an interrupt of that stops the application. *Not* for the UI thread.
  ///
  /// @param main the program; begins on the UI thread
  /// @throws RuntimeException what main failed with; wrapped in [TaskFailedException] if checked
  /// @throws IllegalStateException on the UI thread; if the application was given a virtual clock;
  ///   or if the UI thread ended, or another application runs there
  /// @throws UnsupportedOperationException if this JVM was not started for the CONTINUATION
  ///   backend; the message has the flag
  public void run(Application.Main main) {
    if (eventLoop.isUiThread()) {
      throw new IllegalStateException(
          "run on the UI thread would block it for the whole of the run: use start(..) there");
    }
    GuestRun run = begin(main);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          run.end().get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
          run.stop();
        } catch (ExecutionException e) {
          Throwable cause = e.getCause() == null ? e : e.getCause();
          Throwables.throwIfUnchecked(cause);
          throw new IllegalStateException(cause);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// [#run(Application.Main)] without waiting for the end. Any thread, the UI thread too.
  ///
  /// @param main the program; begins on the UI thread, a moment later
  /// @return completed on the UI thread, with [Application#exitCode()], or with what [#run] would
  ///   throw
  /// @throws IllegalStateException if the application was given a virtual clock: nobody would move
  ///   it, as it is the user whom an application in a window waits for
  /// @throws UnsupportedOperationException if this JVM was not started for the CONTINUATION
  ///   backend; the message has the flag
  public CompletableFuture<Integer> start(Application.Main main) {
    return begin(main).end();
  }

  private GuestRun begin(Application.Main main) {
    Objects.requireNonNull(main, "main");
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
      beginning = null; // it may not have come as far as that
    }
  }

  private GuestRun install(Scheduler scheduler) {
    GuestRun run = beginning;
    beginning = null;
    if (run == null) {
      throw new IllegalStateException("this builder is a UiHost's: run the application with that");
    }
    return run.install(scheduler);
  }

  // Waiting for the user.

  /// Makes a modal dialog something to await: it opens on the UI thread, outside of any task, when
  /// a task begins to wait; tasks go on meanwhile; and it is closed when the wait is given up, by a
  /// timeout, a cancellation, or another branch of a select. Each wait opens it anew.
  ///
  /// Dialogs that are open at the same time close in the order of their toolkit: the one below
  /// returns when those above have.
  ///
  /// ```
  /// int answer = app.await(UiHost.dialog(() -> showConfirmDialog(frame, "Quit?"), () -> {}));
  /// ```
  ///
  /// @param <T> the user's answer
  /// @param open opens the dialog, returns when it has closed
  /// @param close closes it from outside, so that `open` returns; an answer then is dropped
  /// @return to be awaited by tasks of an application in a UI
  public static <T extends @Nullable Object> Waitable<T> dialog(
      Callable<? extends T> open, Runnable close) {
    Objects.requireNonNull(open, "open");
    Objects.requireNonNull(close, "close");
    return Waitable.guard(
        () -> new DialogWait<T>(Scheduler.current(), GuestRun.current().eventLoop(), open, close));
  }
}
