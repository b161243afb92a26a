package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// An X server without a screen, for tests of windows in child JVMs.
public final class VirtualDisplay implements AutoCloseable {

  private final Process server;
  private final String name;

  private VirtualDisplay(Process server, String name) {
    this.server = server;
    this.name = name;
  }

  /// {@return a display; the test is skipped if `Xvfb` is not installed}
  ///
  /// @throws IOException if it does not start
  public static VirtualDisplay open() throws IOException {
    Process server;
    try {
      server =
          new ProcessBuilder(
                  "Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return abort("needs Xvfb, which is not installed: " + e.getMessage());
    }
    BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
    String number = output.readLine();
    if (number == null) {
      throw new IOException("Xvfb has not started");
    }
    return new VirtualDisplay(server, ":" + number);
  }

  /// {@return the value for the environment variable `DISPLAY`}
  public String name() {
    return name;
  }

  /// Runs a program to its end, but no longer than a minute.
  ///
  /// @param program a command whose output fits into a pipe
  /// @return what it printed, errors too
  /// @throws IOException if it does not start
  /// @throws InterruptedException if the test's time is over; the program is ended
  public String run(List<String> program) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(program).redirectErrorStream(true);
    builder.environment().put("DISPLAY", name);
    return outputOf(builder.start());
  }

  /// Waits for the end of a process, but no longer than 50 seconds.
  ///
  /// @param process whose output fits into a pipe
  /// @return what it printed
  /// @throws IOException if the output cannot be read
  /// @throws InterruptedException if the test's time is over; the program is ended
  public static String outputOf(Process process) throws IOException, InterruptedException {
    try (var output = process.getInputStream()) {
      boolean ended = process.waitFor(200, TimeUnit.SECONDS);
      byte[] printed = ended ? output.readAllBytes() : output.readNBytes(output.available());
      String text = new String(printed, StandardCharsets.UTF_8).strip();
      if (!ended) {
        throw new AssertionError("the program has not ended; it printed:\n" + text);
      }
      return text;
    } finally {
      process.destroyForcibly(); // closes its streams
    }
  }

  @Override
  public void close() {
    server.destroy();
  }
}
