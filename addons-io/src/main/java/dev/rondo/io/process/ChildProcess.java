package dev.rondo.io.process;

import dev.rondo.io.BlockingInput;
import dev.rondo.io.BlockingOutput;
import dev.rondo.io.internal.NamedFuture;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// A child process. Made by [WaitForProcess#start(ProcessBuilder)].
///
/// Its pipes offer the same as sockets: lines, limits, branches of a select.
/// `ByteStream.of(output(), input(), name)` joins both. The JDK's pipes to processes block, so each
/// one takes a thread while a task reads from it or writes to it; redirected ones take none. Read
/// the output of the process, because a process waits while its pipe is full.
///
/// Confined to the scheduler's thread.
public final class ChildProcess implements AutoCloseable {

  private static final long KILL_SECONDS = 5;
  private static final long ENDING_MILLIS = 100;

  /// The texts by which the various `kill` commands refuse an unknown signal.
  private static final Pattern REFUSAL =
      Pattern.compile("invalid|unknown|bad signal|illegal", Pattern.CASE_INSENSITIVE);

  private final WaitForProcess processes;
  private final Scheduler scheduler;
  private final Process process;
  private final String name;
  private final BlockingOutput input;
  private final BlockingInput output;
  private final BlockingInput error;

  /// One future for all waits, because the JDK keeps the future of each call until the process
  /// ends.
  private final CompletableFuture<Process> ended;

  /// Written by the loop; read by the thread that closes the input.
  private volatile boolean closed;

  ChildProcess(WaitForProcess processes, Scheduler scheduler, Process process, String program) {
    this.processes = processes;
    this.scheduler = scheduler;
    this.process = process;
    this.name = program + " (pid " + process.pid() + ")";
    this.ended = new NamedFuture<>(name);
    process.onExit().thenAccept(ended::complete);
    this.input =
        new BlockingOutput(
            scheduler,
            "input of " + name,
            new Input(process.getOutputStream()),
            () -> !process.isAlive());
    this.output = new BlockingInput(scheduler, "output of " + name, process.getInputStream());
    this.error = new BlockingInput(scheduler, "error of " + name, process.getErrorStream());
  }

  /// {@return the process's id} Never a suspension point.
  public long pid() {
    return process.pid();
  }

  /// {@return its standard input, to be written and closed} If the standard input is redirected,
  /// the process does not read this stream.
  public BlockingOutput input() {
    return input;
  }

  /// {@return its standard output, to be read} If the output is redirected, this stream is at its
  /// end.
  public BlockingInput output() {
    return output;
  }

  /// {@return its error output, to be read} If the error output is redirected, or merged into the
  /// standard output, this stream is at its end.
  public BlockingInput error() {
    return error;
  }

  /// {@return a wait until the process ends, to be awaited with a limit or as a branch of a choice}
  public Waitable<ExitStatus> exit() {
    return scheduler.completion(ended).map(p -> status(p));
  }

  /// Waits for the process to end. *Always* a suspension point. If the task is cancelled, the
  /// process goes on until it is killed or closed.
  ///
  /// @return how it ended
  public ExitStatus awaitExit() {
    return scheduler.host().awaitEvent(exit());
  }

  private static ExitStatus status(Process ended) {
    int value = ended.exitValue();
    int signal = value - ExitStatus.Killed.BASE;
    return signal >= 1 && signal <= ExitStatus.Killed.LARGEST_SIGNAL
        ? new ExitStatus.Killed(signal)
        : new ExitStatus.Exited(value);
  }

  /// Asks the process to end, with the signal TERM. Never a suspension point.
  ///
  /// @return whether it was asked; false if it has ended already
  public boolean terminate() {
    return process.isAlive() && process.toHandle().destroy();
  }

  /// Ends the process, with the signal KILL. Never a suspension point.
  ///
  /// @return whether the signal was sent; false if the process has ended already
  public boolean kill() {
    return process.isAlive() && process.toHandle().destroyForcibly();
  }

  /// Ends the process and its descendants, with the signal KILL. It searches again for processes
  /// that these start meanwhile. *Always* a suspension point.
  ///
  /// @return how many processes the signal was sent to; 0 if the process has ended already, because
  ///   its descendants are unknown then
  public int killWithDescendants() {
    return endAll(ProcessHandle::destroyForcibly);
  }

  private int endAll(Predicate<ProcessHandle> end) {
    try {
      return processes.workers().<Integer>call(() -> endAll(process.toHandle(), end));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// On a worker. The process itself comes last, because its children get another parent when it
  /// ends.
  private static int endAll(ProcessHandle root, Predicate<ProcessHandle> end) {
    var asked = new HashSet<ProcessHandle>();
    int before;
    do {
      before = asked.size();
      root.descendants()
          .filter(each -> !asked.contains(each) && end.test(each))
          .forEach(asked::add);
    } while (asked.size() > before);
    return asked.size() + (root.isAlive() && end.test(root) ? 1 : 0);
  }

  /// Sends the process a signal, with the system's `kill` command. *Always* a suspension point.
  ///
  /// @param signal its name without SIG: `HUP`, `USR1`, `STOP`, ...
  /// @return whether it was sent; false if the process has ended already
  /// @throws IllegalArgumentException if the system knows no such signal
  /// @throws IOException if there is no permission, or no `kill` command
  public boolean signal(String signal) throws IOException {
    Objects.requireNonNull(signal, "signal is null");
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
      return false; // another process may have its id by now
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

  /// Kills the process if it is alive, and closes its pipes. Waits for its end return; waits for
  /// its pipes fail with a [dev.rondo.io.ChannelClosedException]. Never a suspension point. Later
  /// calls do nothing.
  ///
  /// @throws IOException if closing a pipe fails; the others are closed all the same
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    processes.forget(this);
    var _ =
        process
            .toHandle()
            .destroyForcibly(); // `Process.destroyForcibly` also closes its pipes, and waits
    try (output;
        error) {
      input.abandon(); // its write may never end, if a child of the process has the pipe, too
    }
  }

  /// The pipe to the process. Closing it sends the unsent bytes. That fails without harm if the
  /// process has ended, is just ending, or was killed.
  private final class Input extends FilterOutputStream {

    Input(OutputStream pipe) {
      super(pipe);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length); // and not byte by byte
      } catch (IOException e) {
        throw explained(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        super.flush();
      } catch (IOException e) {
        throw explained(e);
      }
    }

    /// The JDK says "Stream closed" after the end of the process, and "Broken pipe" just before.
    private IOException explained(IOException failure) {
      String why =
          endsNow()
              ? "broken pipe, the process " + inWords(status(process))
              : "broken pipe, the process has closed its input (" + failure.getMessage() + ")";
      return new IOException(why, failure);
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } catch (IOException e) {
        if (!closed && !endsNow()) {
          throw e;
        }
      }
    }
  }

  /// Whether the process is ending: its end of the pipe is closed a moment before the JVM notices.
  /// On the writing thread, which may block.
  private boolean endsNow() {
    try {
      return process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  @Override
  public String toString() {
    return "process " + name;
  }

  /// "has exited with 3", "was killed by signal 9 (KILL)".
  private static String inWords(ExitStatus status) {
    return switch (status) {
      case ExitStatus.Exited(int value) -> "has exited with " + value;
      case ExitStatus.Killed killed ->
          "was killed by signal %d (%s)".formatted(killed.signal(), killed.name());
    };
  }
}
