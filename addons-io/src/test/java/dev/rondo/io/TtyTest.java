package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.terminal.TerminalInterruptedException;
import dev.rondo.scheduler.Scheduler;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A terminal of the operating system: another JVM upon a pseudo terminal, which the program
/// `script` of util-linux makes.
class TtyTest {

  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final char CONTROL_C = 3;

  /// What runs upon the terminal.
  static final class Program {

    private Program() {}

    static void main() {
      try (Scheduler scheduler = Scheduler.create()) {
        scheduler.spawn(() -> {
          try (var terminal = TaskTerminal.open(scheduler)) {
            talk(terminal);
          }
        });
        scheduler.start();
      }
    }

    private static void talk(TaskTerminal terminal) throws IOException {
      String name = terminal.readLine("name? ");
      terminal.write("line=" + name + " size=" + terminal.columns() + "x" + terminal.rows() + "\n");
      try {
        terminal.write("line=" + terminal.readLine("again? ") + "\n");
      } catch (TerminalInterruptedException e) {
        terminal.write("interrupted after " + e.typed() + "\n");
      }
      terminal.raw();
      terminal.write("keys? ");
      for (int i = 0; i < 4; i++) {
        terminal.write("<" + terminal.readKey() + ">");
      }
      terminal.cooked();
      terminal.write(" last=" + terminal.readLine("more? ") + ".\n");
    }
  }

  /// Our end of the terminal.
  private record Screen(InputStream shown, OutputStream typed, StringBuilder all) {

    /// What is shown until some text, that included.
    String until(String text) throws IOException {
      int from = all.length();
      while (all.indexOf(text, from) < 0) {
        int c = shown.read();
        if (c < 0) {
          throw new EOFException("no '" + text + "' in: " + all);
        }
        all.append((char) c);
      }
      return all.substring(from);
    }

    void type(String keys) throws IOException {
      typed.write(keys.getBytes(StandardCharsets.US_ASCII));
      typed.flush();
    }
  }

  @Test
  void terminal_ofTheSystem_linesInterruptAndRawKeys() throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "no program 'script'");
    var java = new ArrayList<String>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    flags.stream().filter(it -> it.startsWith("--add-")).forEach(java::add);
    java.add("--enable-native-access=ALL-UNNAMED");
    java.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    String command =
        "stty cols 77 rows 33; exec "
            + java.stream().map(it -> "'" + it + "'").collect(Collectors.joining(" "));
    var builder =
        new ProcessBuilder(SCRIPT.toString(), "-qefc", command, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", "xterm");
    Process process = builder.start();
    try {
      var screen =
          new Screen(process.getInputStream(), process.getOutputStream(), new StringBuilder());
      screen.until("name? ");
      screen.type("Adb\ba\r"); // edited
      assertTrue(screen.until("size=77x33").contains("line=Ada "), () -> "" + screen.all());
      screen.until("again? ");
      screen.type("par");
      screen.until("r");
      screen.type("" + CONTROL_C);
      screen.until("interrupted after par");
      screen.until("keys? ");
      screen.type("Z\033[A");
      String keys = screen.until("<65>");
      assertTrue(keys.endsWith("<90><27><91><65>"), keys);
      assertFalse(keys.contains("Z"), "shown: " + keys);
      screen.until("more? ");
      screen.type("bye\r");
      screen.until("last=bye.");
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }
}
