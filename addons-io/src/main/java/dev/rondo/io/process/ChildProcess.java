package dev.rondo.io.process;

import dev.rondo.io.BlockingInput;
import dev.rondo.io.BlockingOutput;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A process that this one has started. Made by [WaitForProcess#start(ProcessBuilder)].
///
/// Its pipes are blocking ones, so each that is read or written takes a thread while a task waits
/// for it; redirected ones take none. Read what it writes: a process whose pipe is full waits.
///
/// Confined to the scheduler's thread.
public final class ChildProcess implements AutoCloseable {

  private static final long KILL_SECONDS = 5;

  /// How several kinds of `kill` say that there is no such signal.
  private static final Pattern REFUSAL =
      Pattern.compile("invalid|unknown|bad signal|illegal", Pattern.CASE_INSENSITIVE);

  private final WaitForProcess processes;
  private final Scheduler scheduler;
  private final Process process;
  private final String name;
  private final BlockingOutput input;
  private final InputStream output;
  private final InputStream error;

  /// One for all waits: what the JDK makes for each call it keeps until the process ends.
  private final CompletableFuture<Process> ended;

  /// Written by the loop, read by the thread that closes the input.
  private volatile boolean closed;

  ChildProcess(WaitForProcess processes, Scheduler scheduler, Process process, String program) {
    this.processes = processes;
    this.scheduler = scheduler;
    this.process = process;
    this.ended = process.onExit();
    this.name = program + " (pid " + process.pid() + ")";
    this.input =
        BlockingOutput.create(scheduler, "input of " + name, new Input(process.getOutputStream()));
    this.output = BlockingInput.create(scheduler, "output of " + name, process.getInputStream());
    this.error = BlockingInput.create(scheduler, "error of " + name, process.getErrorStream());
  }

  /// {@return the process's number} Never a suspension point.
  public long pid() {
    return process.pid();
  }

  /// {@return whether it has not ended} Never a suspension point.
  public boolean isAlive() {
    return process.isAlive();
  }

  /// {@return its standard input, to be written and closed} Redirected: nobody reads it.
  public OutputStream input() {
    return input;
  }

  /// {@return its standard output, to be read} Redirected: at its end.
  public InputStream output() {
    return output;
  }

  /// {@return its error output, to be read} Redirected, or merged into the other: at its end.
  public InputStream error() {
    return error;
  }

  /// {@return the process's end, to be awaited with a limit or together with other things}
  public Waitable<ExitStatus> exit() {
    return scheduler.completion(ended).map(p -> status(p));
  }

  /// Waits for the process to end. *Always* a suspension point. Cancelling the task leaves the
  /// process alone; see [#awaitExitOrKill()].
  ///
  /// @return how it ended
  public ExitStatus awaitExit() {
    Waitable<ExitStatus> exit = exit();
    do {
      scheduler.await(exit);
    } while (process.isAlive()); // scheduled directly
    return status(process);
  }

  private static ExitStatus status(Process ended) {
    int value = ended.exitValue();
    int signal = value - ExitStatus.Killed.BASE;
    return signal >= 1 && signal <= ExitStatus.Killed.LARGEST_SIGNAL
        ? new ExitStatus.Killed(signal)
        : new ExitStatus.Exited(value);
  }

  /// [#awaitExit()], but a process whose waiting task is cancelled, or out of time, is killed and
  /// its end waited for.
  ///
  /// @return how it ended
  public ExitStatus awaitExitOrKill() {
    try {
      return awaitExit();
    } catch (Throwable e) {
      kill();
      try {
        scheduler.<ExitStatus>shielded(this::awaitExit);
      } catch (Exception suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /// Asks the process to end, by TERM. Never a suspension point.
  ///
  /// @return whether it was asked; false if it has ended
  public boolean terminate() {
    return process.isAlive() && process.toHandle().destroy();
  }

  /// Ends the process, by KILL. Never a suspension point.
  ///
  /// @return whether it was told; false if it has ended
  public boolean kill() {
    return process.isAlive() && process.toHandle().destroyForcibly();
  }

  /// Sends the process a signal, with the system's `kill`. *Always* a suspension point.
  ///
  /// @param signal its name without SIG: `HUP`, `USR1`, `STOP`, ...
  /// @return whether it was sent; false if the process has ended
  /// @throws IllegalArgumentException if the system knows no such signal
  /// @throws IOException if there is no permission, or no `kill`
  public boolean signal(String signal) throws IOException {
    String bare = signal.toUpperCase(Locale.ROOT);
    if (!bare.matches("[A-Z][A-Z0-9+-]*")) {
      throw new IllegalArgumentException("a signal has a name like HUP: signal='" + signal + "'");
    }
    try {
      return processes.workers().<Boolean>call(() -> send(bare));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// On a worker.
  private boolean send(String signal) throws IOException, InterruptedException {
    if (!process.isAlive()) {
      return false; // its number may be another's by now
    }
    Process kill =
        new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(kill.getInputStream().readAllBytes(), Charset.defaultCharset());
      if (!kill.waitFor(KILL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        if (!process.isAlive()) {
          return false;
        }
        if (REFUSAL.matcher(said).find()) {
          throw new IllegalArgumentException("no such signal: signal=" + signal + ": " + said);
        }
        throw new IOException("signal " + signal + " to " + name + ": " + said);
      }
      return true;
    } finally {
      kill.destroyForcibly();
    }
  }

  /// Kills the process if it is alive, and closes its pipes. Whoever waits for its end is woken by
  /// that, and at a pipe told with a [dev.rondo.io.ChannelClosedException]. Never a suspension
  /// point. Later calls do nothing.
  ///
  /// @throws IOException if closing a pipe fails; all are closed as well as it goes
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    processes.forget(this);
    var _ = process.toHandle().destroyForcibly(); // the process's own closes its pipes, and waits
    try (output;
        error) {
      input.abandon(); // its write may never end: a child of the process may have the pipe, too
    }
  }

  /// The pipe to the process, which is sent what was not sent yet when it is closed. After the
  /// process was killed that fails, and is nobody's loss.
  private final class Input extends FilterOutputStream {

    Input(OutputStream pipe) {
      super(pipe);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length); // not one by one
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } catch (IOException e) {
        if (!closed) {
          throw e;
        }
      }
    }
  }

  @Override
  public String toString() {
    return "process " + name;
  }
}
