package dev.rondo.io.terminal;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.io.internal.OsSignals;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A terminal: lines with editing and history, or single keys in raw mode, without blocking the
/// loop. JLine reads the input on a thread of its own while a task waits for it.
///
/// A read that is cancelled goes on by itself, with its prompt on the screen; the next read of the
/// same kind returns its result. Until then a read of the other kind fails.
///
/// **Control-C.** While a line is read it interrupts that read, and in raw mode it is a key like
/// any other. Otherwise it is a signal of the system, with the same effect as before the terminal
/// was opened. It resumes the tasks that wait for INT, see [dev.rondo.io.system.WaitForOsSignal],
/// or ends the JVM and runs its shutdown hooks.
///
/// Confined to the scheduler's thread.
public final class TaskTerminal implements AutoCloseable {

  /// The system's signal for a changed terminal size.
  private static final String RESIZED = "WINCH";

  private final Scheduler scheduler;
  private final JLine terminal;

  /// Run by a thread of the JVM; makes JLine redraw the line that is being read.
  private final Runnable resized;

  private final DetachableCall<@Nullable String> line;
  private final DetachableCall<Integer> key;

  private boolean raw;
  private boolean closed;

  private TaskTerminal(Scheduler scheduler, JLine terminal) {
    this.scheduler = scheduler;
    this.terminal = terminal;
    this.resized = terminal::resized;
    this.line = new DetachableCall<>(scheduler, "terminal-lines");
    this.key = new DetachableCall<>(scheduler, "terminal-keys");
  }

  /// Opens the terminal that this process was started in; a dumb one, without editing, if there is
  /// none. *Always* a suspension point.
  ///
  /// @param scheduler whose tasks use it
  /// @return the terminal, which the caller closes
  /// @throws IllegalStateException if JLine is missing; the message says what to add
  /// @throws IOException if it cannot be opened
  public static TaskTerminal open(Scheduler scheduler) throws IOException {
    Objects.requireNonNull(scheduler, "scheduler is null");
    OptionalLibrary.JLINE.require();
    TaskTerminal opened = made(scheduler, JLine::ofSystem);
    try {
      OsSignals.add(RESIZED, opened.resized);
    } catch (IllegalArgumentException e) {
      // this system has no such signal: lines keep the width that they had at first
    }
    return opened;
  }

  /// Opens a terminal at the other end of two streams. *Always* a suspension point.
  ///
  /// @param scheduler whose tasks use it
  /// @param type as in `TERM`: `xterm`, `dumb`, ...
  /// @param input the keys; its reads block
  /// @param output the screen
  /// @return the terminal, which the caller closes
  /// @throws IllegalStateException if JLine is missing; the message says what to add
  /// @throws IOException if it cannot be opened
  public static TaskTerminal open(
      Scheduler scheduler, String type, InputStream input, OutputStream output) throws IOException {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(type, "type is null");
    Objects.requireNonNull(input, "input is null");
    Objects.requireNonNull(output, "output is null");
    OptionalLibrary.JLINE.require();
    return made(scheduler, () -> JLine.over(type, input, output));
  }

  /// Shielded, because a task that leaves could not close the opened terminal.
  private static TaskTerminal made(Scheduler scheduler, Callable<JLine> maker) throws IOException {
    try {
      return scheduler.shielded(() ->
          TaskControl.of(scheduler.host())
              .withoutScheduling(
                  () -> scheduler.blocking(() -> new TaskTerminal(scheduler, maker.call()))));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Reads a line, with editing and history. *Always* a suspension point.
  ///
  /// @param prompt shown before it
  /// @return the line; null at the end of the input
  /// @throws TerminalInterruptedException if control-C was typed
  /// @throws ChannelClosedException if this is closed, before or during the operation
  /// @throws IllegalStateException if a read of a key is under way, or the terminal is in raw mode
  /// @throws IOException if the terminal fails
  public @Nullable String readLine(String prompt) throws IOException {
    Objects.requireNonNull(prompt, "prompt is null");
    requireReadyForLine();
    return TaskTerminal.<@Nullable String>call(line, () -> terminal.readLine(prompt));
  }

  /// {@return a wait that reads a line, as [#readLine], to be awaited with a limit or as a branch
  /// of a choice} It returns nothing at the end of the input. If the branch is not taken, the line
  /// can be typed on, and the next read of a line returns it.
  ///
  /// @param prompt shown before the line, when the wait begins and no line is being read
  public Waitable<Optional<String>> readingLine(String prompt) {
    Objects.requireNonNull(prompt, "prompt is null");
    return Waitable.guard(() ->
            checked(
                this::requireReadyForLine,
                line.calling(() -> terminal.readLine(prompt), () -> null)))
        .map(read -> Optional.ofNullable(Throwables.<@Nullable String>resultOf(read)));
  }

  private void requireReadyForLine() throws ChannelClosedException {
    requireOpen("read a line");
    if (raw) {
      throw new IllegalStateException(
          "the terminal is in raw mode: call leaveRawMode() to read lines");
    }
    requireNone(key, "key");
  }

  /// A check before a wait, in the waiting task.
  @FunctionalInterface
  private interface Check {
    void make() throws ChannelClosedException;
  }

  private static <T> Waitable<T> checked(Check check, Waitable<T> wait) {
    try {
      check.make();
    } catch (ChannelClosedException e) {
      throw Throwables.<RuntimeException>rethrow(e);
    }
    return wait;
  }

  /// Reads a character, in raw mode as soon as it is typed. *Always* a suspension point.
  ///
  /// @return a UTF-16 unit; -1 at the end of the input
  /// @throws ChannelClosedException if this is closed, before or during the operation
  /// @throws IllegalStateException if a read of a line is under way
  /// @throws IOException if the terminal fails
  public int readKey() throws IOException {
    requireReadyForKey();
    return call(key, terminal::readKey);
  }

  /// {@return a wait that reads a character, as [#readKey], to be awaited with a limit or as a
  /// branch of a choice} A branch that is not taken takes no character.
  public Waitable<Integer> readingKey() {
    return Waitable.guard(
            () -> checked(this::requireReadyForKey, key.calling(terminal::readKey, () -> null)))
        .map(Throwables::<Integer>resultOf);
  }

  private void requireReadyForKey() throws ChannelClosedException {
    requireOpen("read a key");
    requireNone(line, "line");
  }

  private static <T extends @Nullable Object> T call(DetachableCall<T> reads, Callable<T> code)
      throws IOException {
    try {
      return reads.call(code);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void requireNone(DetachableCall<?> other, String kind) {
    if (other.isPending()) {
      throw new IllegalStateException("a read of a " + kind + " is under way on the terminal");
    }
  }

  /// Writes text. *Always* a suspension point.
  ///
  /// @param text may contain the terminal's control sequences
  /// @throws IOException if the terminal fails
  public void write(String text) throws IOException {
    Objects.requireNonNull(text, "text is null");
    requireOpen("write");
    scheduler.blocking(() -> terminal.write(text));
  }

  /// Begins raw mode: keys arrive one by one, without editing and echo. Never a suspension point.
  /// Has no effect in raw mode.
  ///
  /// @throws IllegalStateException if a read of a line is under way, or this is closed
  public void enterRawMode() {
    requireUsable();
    requireNone(line, "line");
    if (!raw) {
      terminal.raw();
      raw = true;
    }
  }

  /// Ends raw mode. Never a suspension point. Has no effect outside raw mode.
  public void leaveRawMode() {
    scheduler.host().checkThread();
    if (raw) {
      terminal.cooked();
      raw = false;
    }
  }

  /// {@return how many columns the terminal has; 0 if unknown} Never a suspension point.
  ///
  /// @throws IllegalStateException if this is closed
  public int columns() {
    requireUsable();
    return terminal.columns();
  }

  /// {@return how many rows the terminal has; 0 if unknown} Never a suspension point.
  ///
  /// @throws IllegalStateException if this is closed
  public int rows() {
    requireUsable();
    return terminal.rows();
  }

  private void requireOpen(String what) throws ChannelClosedException {
    scheduler.host().checkThread();
    if (closed) {
      throw closed(what);
    }
  }

  private ChannelClosedException closed(String what) {
    return new ChannelClosedException(what + ": this side has closed the terminal");
  }

  private void requireUsable() {
    scheduler.host().checkThread();
    if (closed) {
      throw new IllegalStateException("this side has closed the terminal");
    }
  }

  /// Puts the terminal back in the mode in which it was found, and closes it. A waiting read fails
  /// at once with a [ChannelClosedException]. The system cannot cancel a read that is under way, so
  /// the reading thread stays until it has taken the next key, or outside raw mode the next line.
  /// The next reader misses this input: another terminal of this JVM, `System.in`, or the shell
  /// that started this process. To lose nothing, close when no read is under way. Never a
  /// suspension point. Later calls do nothing.
  ///
  /// @throws IOException if that fails; if it fails on the reading thread, the scheduler's failure
  ///   handler receives the exception instead
  @Override
  public void close() throws IOException {
    scheduler.host().checkThread();
    if (closed) {
      return;
    }
    closed = true;
    raw = false;
    boolean reading = line.isPending() || key.isPending();
    OsSignals.remove(RESIZED, resized);
    line.close(() -> closed("read a line"));
    key.close(() -> closed("read a key"));
    try {
      terminal.leave();
    } finally {
      if (reading) {
        Thread.ofPlatform().daemon().name("rondo-close " + this).start(this::closeBeneath);
      } else {
        terminal.close();
      }
    }
  }

  /// JLine waits for the thread that reads, which waits for a key.
  private void closeBeneath() {
    try {
      terminal.close();
    } catch (IOException | RuntimeException e) {
      scheduler.host().report("close " + this, e);
    }
  }

  @Override
  public String toString() {
    return terminal.toString();
  }
}
