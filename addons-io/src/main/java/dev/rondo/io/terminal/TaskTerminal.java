package dev.rondo.io.terminal;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.io.internal.OsSignals;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A terminal: lines with editing and history, or single keys in raw mode, without blocking the
/// loop. What is typed is read by JLine on a thread of its own while somebody waits for it.
///
/// A read that is cancelled goes on by itself, with its prompt on the screen; what it brings is
/// what the next read of its kind returns. Until then a read of the other kind is refused.
///
/// **Control-C.** While a line is read it interrupts that, and in raw mode it is a key like any
/// other. Otherwise it is a signal of the system, and does what it did before the terminal was
/// opened: it wakes who waits for INT, see [dev.rondo.io.system.WaitForOsSignal], or ends the JVM
/// and runs its shutdown hooks.
///
/// Confined to the scheduler's thread.
public final class TaskTerminal implements AutoCloseable {

  /// The system's signal that a terminal has another size.
  private static final String RESIZED = "WINCH";

  private final Scheduler scheduler;
  private final JLine terminal;

  /// Run by a thread of the JVM; has JLine draw anew the line that is read.
  private final Runnable resized;

  private final DetachableCall<@Nullable String> line;
  private final DetachableCall<Integer> key;

  private boolean raw;
  private boolean closed;

  private TaskTerminal(Scheduler scheduler, JLine terminal) {
    this.scheduler = scheduler;
    this.terminal = terminal;
    this.resized = terminal::resized;
    this.line = new DetachableCall<>(scheduler, "rondo-terminal-lines");
    this.key = new DetachableCall<>(scheduler, "rondo-terminal-keys");
  }

  /// Opens the terminal this process was started in; a dumb one, without editing, if there is none.
  /// *Always* a suspension point.
  ///
  /// @param scheduler whose tasks use it
  /// @return the terminal, its caller's to close
  /// @throws IllegalStateException if JLine is not there; the message says what to add
  /// @throws IOException if it cannot be opened
  public static TaskTerminal open(Scheduler scheduler) throws IOException {
    OptionalLibrary.JLINE.require();
    TaskTerminal opened = made(scheduler, JLine::ofSystem);
    try {
      OsSignals.add(RESIZED, opened.resized);
    } catch (IllegalArgumentException e) {
      // no signal of this system: lines are drawn as wide as they were at first
    }
    return opened;
  }

  /// Opens a terminal at the other end of two streams. *Always* a suspension point.
  ///
  /// @param scheduler whose tasks use it
  /// @param type as in `TERM`: `xterm`, `dumb`, ...
  /// @param input what is typed; blocks
  /// @param output what is shown
  /// @return the terminal, its caller's to close
  /// @throws IllegalStateException if JLine is not there; the message says what to add
  /// @throws IOException if it cannot be opened
  public static TaskTerminal open(
      Scheduler scheduler, String type, InputStream input, OutputStream output) throws IOException {
    OptionalLibrary.JLINE.require();
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(output, "output");
    return made(scheduler, () -> JLine.over(type, input, output));
  }

  /// What is opened here is nobody's to close if a cancelled task leaves; so it does not.
  private static TaskTerminal made(Scheduler scheduler, Callable<JLine> maker) throws IOException {
    try {
      return scheduler.shielded(
          () -> scheduler.blocking(() -> new TaskTerminal(scheduler, maker.call())));
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
  /// @throws ChannelClosedException if this is closed, before or meanwhile
  /// @throws IllegalStateException if a read of a key is under way, or the terminal is raw
  /// @throws IOException if the terminal breaks
  public @Nullable String readLine(String prompt) throws IOException {
    requireOpen("read a line");
    if (raw) {
      throw new IllegalStateException("the terminal is in raw mode: leave it to read lines");
    }
    requireNone(key, "key");
    return TaskTerminal.<@Nullable String>call(line, () -> terminal.readLine(prompt));
  }

  /// Reads a character, in raw mode as soon as it is typed. *Always* a suspension point.
  ///
  /// @return a UTF-16 unit; -1 at the end of the input
  /// @throws ChannelClosedException if this is closed, before or meanwhile
  /// @throws IllegalStateException if a read of a line is under way
  /// @throws IOException if the terminal breaks
  public int readKey() throws IOException {
    requireOpen("read a key");
    requireNone(line, "line");
    return call(key, terminal::readKey);
  }

  private static <T extends @Nullable Object> T call(DetachableCall<T> flight, Callable<T> code)
      throws IOException {
    try {
      return flight.call(code);
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

  /// Shows text. *Always* a suspension point.
  ///
  /// @param text with the terminal's control sequences, if wanted
  /// @throws IOException if the terminal breaks
  public void write(String text) throws IOException {
    requireOpen("write");
    try {
      scheduler.<@Nullable Void>blocking(() -> {
        terminal.write(text);
        return null;
      });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Begins raw mode: keys come one by one, not edited and not shown. Never a suspension point. No
  /// effect in raw mode.
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

  /// Ends raw mode. Never a suspension point. No effect out of it.
  public void leaveRawMode() {
    scheduler.host().checkThread();
    if (raw) {
      terminal.cooked();
      raw = false;
    }
  }

  /// {@return how many columns it has; 0 if it does not tell} Never a suspension point.
  ///
  /// @throws IllegalStateException if this is closed
  public int columns() {
    requireUsable();
    return terminal.columns();
  }

  /// {@return how many rows it has; 0 if it does not tell} Never a suspension point.
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

  /// Leaves the terminal as it was found and closes it. Who waits is told with a
  /// [ChannelClosedException] at once. But the system cannot call off a thread's read that is under
  /// way, and JLine has no other: so that of a cancelled or closed one stays until something is
  /// typed, and takes it. That key, or in cooked mode that line, is missed by whoever reads next:
  /// another terminal of this JVM, `System.in`, or the shell that started us if we do not end. To
  /// lose nothing, close when no read is under way. Never a suspension point. Later calls do
  /// nothing.
  ///
  /// @throws IOException if that fails; if it does so on that thread, the scheduler's failure
  ///   handler is told instead
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

  /// JLine waits for who reads, and that for somebody to type.
  private void closeBeneath() {
    try {
      terminal.close();
    } catch (IOException | RuntimeException e) {
      scheduler.host().report("closing of " + this, e);
    }
  }

  @Override
  public String toString() {
    return terminal.toString();
  }
}
