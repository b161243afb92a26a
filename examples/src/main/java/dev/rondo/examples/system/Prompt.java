package dev.rondo.examples.system;

import dev.rondo.application.Application;
import dev.rondo.io.terminal.StandardStreams;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.terminal.TerminalInterruptedException;
import dev.rondo.scheduler.Selection;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks in the terminal for a name, for a city with a time limit, and for a key. Other tasks go on
/// meanwhile. Without a terminal, as in `echo ann | ..`, it greets each line of its standard input.
final class Prompt {

  private static final int LONGEST_LINE_BYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Prompt() {}

  @SuppressWarnings("SystemConsoleNull") // null if a setting of the JDK says so
  static void main() {
    Application.run(app -> {
      if (System.console() == null || !System.console().isTerminal()) {
        greetAll(StandardStreams.on(app.scheduler()));
      } else {
        try (TaskTerminal terminal = TaskTerminal.open(app.scheduler())) {
          terminal.write(ask(app, terminal) + "\n");
        }
      }
      app.stop();
    });
  }

  /// {@return the input of the user}
  static String ask(Application app, TaskTerminal terminal) throws IOException {
    String name;
    try {
      name = terminal.readLine("name? ");
    } catch (TerminalInterruptedException e) {
      return "interrupted after '" + e.typed() + "'";
    }
    Selection<?> city = app.select(terminal.readingLine("city? "), app.time().after(PATIENCE));
    String from = city.value() instanceof Optional<?> line ? text(line) : "nowhere";
    terminal.enterRawMode();
    terminal.write("any key: ");
    Selection<?> key = app.select(terminal.readingKey(), app.time().after(PATIENCE));
    terminal.leaveRawMode();
    String pressed = key.value() instanceof Integer code ? Character.toString(code) : "none";
    return "%s from %s, key %s".formatted(name, from, pressed);
  }

  private static String text(Optional<?> line) {
    return line.isPresent() ? line.get().toString() : "";
  }

  /// Reads and writes without blocking the loop, even if the other end of the pipe is slow.
  static void greetAll(StandardStreams streams) throws IOException {
    int count = 0;
    for (@Nullable String line; (line = streams.input().readLine(LONGEST_LINE_BYTES)) != null; ) {
      streams.output().write("hello " + line + "\n");
      count++;
    }
    streams.error().write(count + " greeted\n");
  }
}
