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

/// JLine's terminal and reader of lines, which block. All that names its classes is here, because
/// the JVM's verifier looks up some that a class names before it lets the class run; [TaskTerminal]
/// must run without, to say that the library is not there.
///
/// A thread at a time reads; the rest is the scheduler's.
final class JLine {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /// It takes JLine a moment, and much longer only if the terminal hangs.
  private static final long LONGEST_ENTRY_NANOS = 1_000 * NANOS_PER_MILLI;

  private final Terminal terminal;
  private final LineReader lines;

  /// How the terminal was found, and is left.
  private final Attributes cooked;

  /// Guards the two below.
  private final Object mode = new Object();

  /// Whether somebody who reads a line is about to change the mode.
  private boolean entering;

  /// Whether the terminal is as it was found, for good: who would begin a line now begins none.
  private boolean left;

  private JLine(Terminal terminal) {
    this.terminal = terminal;
    this.lines = lines(terminal);
    this.cooked = terminal.getAttributes();
  }

  /// The terminal this process was started in; a dumb one if there is none.
  static JLine ofSystem() throws IOException {
    // JLine's own handlers of signals would replace those of the JVM and of our tasks
    return new JLine(
        TerminalBuilder.builder().system(true).dumb(true).nativeSignals(false).build());
  }

  static JLine over(String type, InputStream input, OutputStream output) throws IOException {
    return new JLine(new ExternalTerminal("streams", type, input, output, StandardCharsets.UTF_8));
  }

  /// A control-C while a line is read has JLine's terminal interrupt the thread that reads it, and
  /// give it the key all the same, which interrupts it, too. If the first is faster, the key is
  /// left for whoever reads next. So it shall be a key only, from when the line is begun.
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

  /// Leaves the terminal as it was found, for good. Who has just begun to read a line changes its
  /// mode in a moment, and must not come later.
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

  /// {@return the line; null at the end of the input, and if this was left before}
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
      throw new IOException("write to " + this + ": it takes no more");
    }
  }

  void raw() {
    terminal.enterRawMode();
  }

  /// As it was found.
  void cooked() {
    terminal.setAttributes(cooked);
  }

  int columns() {
    return terminal.getSize().getColumns();
  }

  int rows() {
    return terminal.getSize().getRows();
  }

  /// Draws anew the line that is read. Any thread.
  void resized() {
    terminal.raise(Signal.WINCH);
  }

  /// Waits for who reads.
  void close() throws IOException {
    terminal.close();
  }

  @Override
  public String toString() {
    return "terminal " + terminal.getName();
  }
}
