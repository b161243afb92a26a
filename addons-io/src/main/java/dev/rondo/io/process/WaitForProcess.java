package dev.rondo.io.process;

import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.Workers;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Starts processes and waits for them. Starting one blocks for some milliseconds, so it happens on
/// a thread of this add-on.
///
/// Confined to the scheduler's thread.
public final class WaitForProcess implements AddOn {

  private static final int THREADS = 2;

  private final Scheduler scheduler;
  private final Workers workers;

  /// Processes that the program has not closed.
  private final Set<ChildProcess> open = new HashSet<>();

  private WaitForProcess(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.workers = Workers.open(scheduler, "rondo-processes", THREADS);
    scheduler.host().install(this);
  }

  /// {@return the add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForProcess on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForProcess installed = scheduler.host().addOn(WaitForProcess.class);
    return installed != null ? installed : new WaitForProcess(scheduler);
  }

  /// Starts a process. *Always* a suspension point.
  ///
  /// @param program its command, environment, directory and redirections; must not be changed until
  ///   this returns
  /// @return the process, which the caller closes
  /// @throws IOException if there is no such program or directory, or no permission; the message
  ///   names it
  /// @throws IllegalArgumentException if the command is empty
  public ChildProcess start(ProcessBuilder program) throws IOException {
    Objects.requireNonNull(program, "program is null");
    Arguments.requireElements(program.command(), "part of the command is null");
    List<String> command = List.copyOf(program.command());
    if (command.isEmpty()) {
      throw new IllegalArgumentException("the command of a process must not be empty");
    }
    Process process;
    try {
      process = workers.call(program::start);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    var child = new ChildProcess(this, scheduler, process, command.getFirst());
    open.add(child);
    return child;
  }

  /// {@return how many processes are not closed} For leak checks. Never a suspension point.
  public int openCount() {
    scheduler.host().checkThread();
    return open.size();
  }

  void forget(ChildProcess child) {
    open.remove(child);
  }

  Workers workers() {
    return workers;
  }

  /// Does nothing: processes end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Kills the processes that were not closed, and lets the threads end.
  @Override
  public void close() throws IOException {
    try (workers) {
      Throwables.closeAll(List.copyOf(open));
    }
  }
}
