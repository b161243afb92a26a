package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.system.SignalWatch;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.terminal.TerminalInterruptedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A terminal of the operating system: another JVM on a pseudo terminal, see [Tty].
class TtyTest {

  private static final char CONTROL_C = 3;
  private static final char BACKSPACE = 8;
  private static final char HOME = 1;
  private static final String ROW_UP = "\033[A";
  private static final String ARROW_UP = "\033[A";

  /// How JLine talks to the terminal: by the system's functions, or by the program `stty`.
  private static final String PROVIDER = "-Dorg.jline.terminal.provider=";

  /// The number of repetitions of a scenario that depends on the order of two threads.
  private static final int ROUNDS = 20;

  /// The beginning of each program.
  @FunctionalInterface
  private interface Talk {
    void with(Scheduler scheduler, TaskTerminal terminal) throws IOException;
  }

  private static void on(Talk talk) {
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(() -> {
        try (var terminal = TaskTerminal.open(scheduler)) {
          talk.with(scheduler, terminal);
        }
      });
      scheduler.start();
    }
  }

  @BeforeEach
  void onlyWithPseudoTerminals() throws Exception {
    String hindrance = Tty.hindrance();
    assumeTrue(hindrance == null, hindrance);
  }

  /// Lines, and then keys in raw mode. The terminal closes in raw mode.
  static final class LinesAndKeys {

    private LinesAndKeys() {}

    static void main() {
      on((scheduler, terminal) -> {
        String name = terminal.readLine("name? ");
        terminal.write(
            "line=" + name + " size=" + terminal.columns() + "x" + terminal.rows() + "\n");
        terminal.enterRawMode();
        terminal.write("keys? ");
        for (int i = 0; i < 5; i++) {
          terminal.write("<" + terminal.readKey() + ">");
        }
        terminal.leaveRawMode();
        terminal.write(" last=" + terminal.readLine("more? ") + ".\n");
        terminal.enterRawMode();
      });
    }
  }

  @Test
  void lineThenKeys_areEditedAndRaw_andTheTerminalIsLeftAsItWas() throws Exception {
    try (var tty = Tty.running(LinesAndKeys.class, 77, 33)) {
      tty.until("name? ");
      tty.type("Adb" + BACKSPACE + "a\r");
      String line = tty.until("size=77x33");
      assertTrue(line.contains("line=Ada "), line);
      tty.until("keys? ");
      tty.type("Z" + CONTROL_C + ARROW_UP);
      String keys = tty.until("<65>");
      assertTrue(keys.endsWith("<90><3><27><91><65>"), keys);
      assertFalse(keys.contains("Z"), "shown: " + keys);
      tty.until("more? ");
      tty.type("bye\r");
      tty.until("last=bye.");
      String settings = tty.until(Tty.ENDED);
      assertTrue(settings.contains(" icanon"), settings);
      assertTrue(settings.contains(" echo "), settings);
      assertTrue(settings.contains("isig"), settings);
      assertFalse(settings.contains("-isig"), settings);
      assertEquals(0, tty.exitValue());
    }
  }

  /// A line that is interrupted, and the next read.
  static final class Interrupted {

    private Interrupted() {}

    static void main() {
      on((scheduler, terminal) -> {
        for (int i = 0; i < ROUNDS; i++) {
          try {
            terminal.write("line=" + terminal.readLine("line? ") + "\n");
          } catch (TerminalInterruptedException e) {
            terminal.write("interrupted after " + e.typed() + "\n");
          }
          terminal.enterRawMode();
          terminal.write("key? ");
          terminal.write("<" + terminal.readKey() + ">\n");
          terminal.leaveRawMode();
        }
      });
    }
  }

  /// JLine has reported a control-C twice when one thread was faster than another: as an interrupt
  /// of the line that is read, and as a key of the next read.
  @Test
  void interruptedLine_nothingOfItIsLeftForWhoReadsNext() throws Exception {
    try (var tty = Tty.running(Interrupted.class, 77, 33)) {
      for (int i = 0; i < ROUNDS; i++) {
        tty.until("line? ");
        tty.type("par");
        tty.until("r");
        tty.type("" + CONTROL_C);
        tty.until("interrupted after par");
        tty.until("key? ");
        tty.type("Z");
        assertEquals("<90>", tty.until(">"), () -> "the key; " + tty);
      }
      tty.until(Tty.ENDED);
      assertEquals(0, tty.exitValue());
    }
  }

  /// Waits for a signal. It begins to listen while the terminal is open.
  static final class Signalled {

    private Signalled() {}

    static void main() {
      on((scheduler, terminal) -> {
        try (SignalWatch interrupt = WaitForOsSignal.on(scheduler).listen("INT")) {
          for (int i = 0; i < 2; i++) {
            terminal.write("waits\n");
            interrupt.await();
            terminal.write("signalled\n");
            terminal.write("line=" + terminal.readLine("line? ") + "\n");
          }
        }
      });
    }
  }

  /// A task that waits before the terminal is opened has a handler in the JVM. JLine would replace
  /// that handler, and the handler that runs the shutdown hooks.
  static final class SignalledBefore {

    private SignalledBefore() {}

    static void main() throws IOException {
      try (Scheduler scheduler = Scheduler.create()) {
        scheduler.spawn(() -> {
          try (SignalWatch interrupt = WaitForOsSignal.on(scheduler).listen("INT");
              var terminal = TaskTerminal.open(scheduler)) {
            terminal.write("waits\n");
            interrupt.await();
            terminal.write("signalled\n");
          }
        });
        scheduler.start();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "exec"})
  void controlC_whileNoLineIsRead_isASignalForWhoWaitsForIt(String provider) throws Exception {
    try (var tty = Tty.running(SignalledBefore.class, 77, 33, PROVIDER + provider)) {
      tty.until("waits");
      tty.type("" + CONTROL_C);
      tty.until("signalled");
      tty.until(Tty.ENDED);
      assertEquals(0, tty.exitValue());
    }
    try (var tty = Tty.running(Signalled.class, 77, 33, PROVIDER + provider)) {
      for (int i = 0; i < 2; i++) {
        tty.until("waits");
        tty.type("" + CONTROL_C);
        tty.until("signalled");
        tty.until("line? ");
        tty.type("on\r");
        tty.until("line=on");
      }
      tty.until(Tty.ENDED);
      assertEquals(0, tty.exitValue());
    }
  }

  /// Closes the terminal under tasks that read it; nothing is typed.
  static final class Closed {

    private Closed() {}

    static void main() {
      try (Scheduler scheduler = Scheduler.create()) {
        scheduler.spawn(() -> {
          for (boolean key : new boolean[] {false, true}) {
            var terminal = TaskTerminal.open(scheduler);
            var begun = new AtomicBoolean();
            Task<String> reader =
                scheduler.spawn(() -> {
                  begun.set(true);
                  try {
                    return "read " + (key ? terminal.readKey() : terminal.readLine("line? "));
                  } catch (ChannelClosedException e) {
                    return "closed";
                  }
                });
            while (!begun.get()) {
              scheduler.yield();
            }
            terminal.write("reads\n");
            terminal.close();
            System.out.println(reader.join() + " " + key);
          }
        });
        scheduler.start();
      }
    }
  }

  @Test
  void close_underAReader_tellsItThoughNothingIsTyped() throws Exception {
    try (var tty = Tty.running(Closed.class, 77, 33)) {
      tty.until("closed false");
      tty.until("closed true");
      String settings = tty.until(Tty.ENDED);
      assertTrue(settings.contains(" icanon"), settings);
      assertEquals(0, tty.exitValue());
    }
  }

  /// Does nothing, with a terminal that is open and has read a line.
  static final class Hooked {

    private Hooked() {}

    static void main() {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the hook")));
      on((scheduler, terminal) -> {
        terminal.write("line=" + terminal.readLine("line? ") + "\n");
        terminal.write("waits\n");
        scheduler.suspend();
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "exec"})
  void controlC_whileNoLineIsRead_endsTheJvmWithItsShutdownHooks(String provider) throws Exception {
    try (var tty = Tty.running(Hooked.class, 77, 33, PROVIDER + provider)) {
      tty.until("line? ");
      tty.type("on\r");
      tty.until("waits");
      tty.type("" + CONTROL_C);
      tty.until("the hook");
      tty.until(Tty.ENDED);
    }
  }

  /// A line read on a terminal, whose name it prints.
  static final class Resized {

    private Resized() {}

    static void main() throws IOException {
      Path name = Path.of("/proc/self/fd/0").toRealPath();
      on((scheduler, terminal) -> {
        terminal.write("name=" + name + ";\n");
        try (SignalWatch resized = WaitForOsSignal.on(scheduler).listen("WINCH")) {
          scheduler.spawn(() -> { // listens after the terminal, so it is notified after it
            resized.await();
            terminal.write("!");
          });
          terminal.write("line=" + terminal.readLine("line? ") + "\n");
        }
        terminal.write("columns=" + terminal.columns() + "\n");
      });
    }
  }

  @Test
  void resizedWhileALineIsRead_isDrawnAgain() throws Exception {
    try (var tty = Tty.running(Resized.class, 77, 33)) {
      tty.until("name=");
      String name = tty.until(";").replace(";", "");
      tty.until("line? ");
      tty.type("abcdefghijklmnopqrstuvwxyz");
      tty.until("z");
      Tty.resize(name, 20);
      tty.until("!");
      tty.type("" + HOME);
      tty.until(ROW_UP); // what does not fit any more is in rows below
      tty.type("\r");
      tty.until("columns=20");
      tty.until(Tty.ENDED);
      assertEquals(0, tty.exitValue());
    }
  }
}
