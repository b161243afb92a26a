package dev.rondo.io.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.ExternalTerminal;
import org.jspecify.annotations.Nullable;

/// JLine's terminal and line reader, which block. All uses of its classes are here, because the
/// JVM's verifier loads some of the classes that a class names before that class runs, and
/// [TaskTerminal] must run without the library to report that it is missing.
///
/// One thread at a time reads; all other calls are made on the scheduler's thread.
final class JLine {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /// JLine changes the mode in a moment; it takes longer only if the terminal hangs.
  private static final long LONGEST_ENTRY_NANOS = 1_000 * NANOS_PER_MILLI;

  private final Terminal terminal;
  private final LineReader lines;

  /// The mode in which the terminal was found, and is left.
  private final Attributes cooked;

  /// Guards the next two fields.
  private final Object mode = new Object();

  /// Whether a thread that reads a line is about to change the mode.
  private boolean entering;

  /// Whether the terminal is back in the mode in which it was found: no line is read any more.
  private boolean left;

  private JLine(Terminal terminal) {
    this.terminal = terminal;
    this.lines = lines(terminal);
    this.cooked = terminal.getAttributes();
  }

  /// The terminal that this process was started in; a dumb one if there is none.
  static JLine ofSystem() throws IOException {
    // JLine's own signal handlers would replace those of the JVM and of tasks
    return new JLine(
        TerminalBuilder.builder().system(true).dumb(true).nativeSignals(false).build());
  }

  static JLine over(String type, InputStream input, OutputStream output) throws IOException {
    return new JLine(new ExternalTerminal("streams", type, input, output, StandardCharsets.UTF_8));
  }

  /// If control-C is typed while a line is read, JLine's terminal interrupts the reading thread,
  /// and also delivers the key, which interrupts the read, too. If the interrupt is faster, the
  /// next read receives the key. So control-C is only a key from the beginning of a line on.
  private LineReader lines(Terminal terminal) {
    LineReader lines = LineReaderBuilder.builder().terminal(terminal).build();
    lines
        .getWidgets()
        .put(
            LineReader.CALLBACK_INIT,
            () -> {
              terminal.handle(Signal.INT, SignalHandler.SIG_IGN);
              entered();
              return true;
            });
    return lines;
  }

  private void entered() {
    synchronized (mode) {
      entering = false;
      mode.notifyAll();
    }
  }

  /// Puts the terminal back in the mode in which it was found. Waits for a thread that has just
  /// begun to read a line, because it is about to change the mode.
  void leave() {
    synchronized (mode) {
      left = true;
      long limit = System.nanoTime() + LONGEST_ENTRY_NANOS;
      long millis;
      while (entering && (millis = (limit - System.nanoTime()) / NANOS_PER_MILLI) > 0) {
        try {
          mode.wait(millis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    cooked();
  }

  /// {@return the line; null at the end of the input, and after [#leave()]}
  @Nullable String readLine(String prompt) throws TerminalInterruptedException {
    synchronized (mode) {
      if (left) {
        return null;
      }
      entering = true;
    }
    try {
      return lines.readLine(prompt);
    } catch (EndOfFileException e) {
      return null;
    } catch (UserInterruptException e) {
      throw new TerminalInterruptedException(e.getPartialLine());
    } finally {
      entered();
    }
  }

  int readKey() throws IOException {
    return terminal.reader().read();
  }

  void write(String text) throws IOException {
    terminal.writer().print(text);
    if (terminal.writer().checkError()) {
      throw new IOException("write to " + this + ": the terminal accepts no more output");
    }
  }

  void raw() {
    terminal.enterRawMode();
  }

  /// Puts the terminal back in the mode in which it was found.
  void cooked() {
    terminal.setAttributes(cooked);
  }

  int columns() {
    return terminal.getSize().getColumns();
  }

  int rows() {
    return terminal.getSize().getRows();
  }

  /// Redraws the line that is being read. Any thread.
  void resized() {
    terminal.raise(Signal.WINCH);
  }

  /// Waits for the thread that reads.
  void close() throws IOException {
    terminal.close();
  }

  @Override
  public String toString() {
    return "terminal " + terminal.getName();
  }
}
