package dev.rondo.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One end of a pseudo terminal, with a JVM at the other; the program `script` of util-linux
/// creates it. Each wait has a limit, and fails with the content of the screen.
final class Tty implements Closeable {

  /// The shell prints this when the program has ended, after the settings of the terminal.
  static final String ENDED = "[ended]";

  /// Longer than any program takes on a busy machine. Only a test that fails waits that long.
  private static final int LIMIT_SECONDS = 200;

  private static final Path SCRIPT = Path.of("/usr/bin/script");

  /// The shell between `script` and the program, so that the tests do not depend on the user's
  /// shell.
  private static final String SHELL = "/bin/sh";

  /// A control-C also reaches the shell, and ends some shells. The children of the shell are
  /// interrupted all the same, because they inherit only ignored signals.
  private static final String OUTLIVE_INTERRUPTS = "trap : INT; ";

  private static final int END = -1;

  private final Process process;
  private final LinkedBlockingQueue<Integer> shown = new LinkedBlockingQueue<>();
  private final StringBuilder screen = new StringBuilder();
  private final Thread reader;

  /// The position up to which the screen was read.
  private int seen;

  private Tty(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().name("screen").daemon().start(this::read);
  }

  /// {@return why there are no pseudo terminals here; null if there are}
  static @Nullable String hindrance() throws IOException, InterruptedException {
    if (!Files.isExecutable(SCRIPT)) {
      return "needs a pseudo terminal, and there is no program " + SCRIPT;
    }
    Process trial = script("stty -a");
    try {
      trial.getOutputStream().close();
      if (!trial.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return "needs a pseudo terminal, and script does not come to an end";
      }
      String said = new String(trial.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return trial.exitValue() == 0
          ? null
          : "needs a pseudo terminal, and script cannot make one: " + said;
    } finally {
      trial.destroyForcibly();
    }
  }

  /// Starts a program's `main` on a terminal.
  static Tty running(Class<?> program, int columns, int rows, String... options)
      throws IOException {
    var java = new ArrayList<String>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    flags.stream().filter(it -> it.startsWith("--add-")).forEach(java::add);
    java.add("--enable-native-access=ALL-UNNAMED");
    java.add("-XX:TieredStopAtLevel=1");
    java.addAll(List.of(options));
    java.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return new Tty(
        script(
            OUTLIVE_INTERRUPTS
                + "stty cols %d rows %d; %s; e=$?; stty -a; echo '%s'; exit $e"
                    .formatted(
                        columns,
                        rows,
                        java.stream().map(it -> "'" + it + "'").collect(Collectors.joining(" ")),
                        ENDED)));
  }

  private static Process script(String command) throws IOException {
    var builder =
        // A test that runs in the background ignores interrupts, and its children would, too.
        new ProcessBuilder(
                "env", "--default-signal=INT", SCRIPT.toString(), "-qefc", command, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", "xterm");
    builder.environment().put("SHELL", SHELL);
    return builder.start();
  }

  /// Sets the width of a terminal.
  static void resize(String name, int columns) throws IOException, InterruptedException {
    Process stty =
        new ProcessBuilder("stty", "-F", name, "cols", Integer.toString(columns))
            .redirectErrorStream(true)
            .start();
    if (!stty.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || stty.exitValue() != 0) {
      stty.destroyForcibly();
      throw new AssertionError(
          "stty has failed: "
              + new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private void read() {
    try (InputStream in = process.getInputStream()) {
      int c;
      while ((c = in.read()) != END) {
        shown.add(c);
      }
    } catch (IOException e) {
      // the process was killed
    }
    shown.add(END);
  }

  /// The content after the position that was read, up to and including a text.
  String until(String text) throws InterruptedException {
    int from = seen;
    int at;
    while ((at = screen.indexOf(text, from)) < 0) {
      Integer next = shown.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (next == null || next == END) {
        throw new AssertionError(
            (next == null ? "not within " + LIMIT_SECONDS + " s" : "the program has ended without")
                + " '"
                + text
                + "'; "
                + this);
      }
      screen.append((char) next.intValue());
    }
    seen = at + text.length();
    return screen.substring(from, seen);
  }

  void type(String keys) throws IOException {
    var typed = process.getOutputStream();
    typed.write(keys.getBytes(StandardCharsets.US_ASCII));
    typed.flush();
  }

  int exitValue() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("does not come to an end; " + this);
    }
    return process.exitValue();
  }

  /// Ends all processes that were started here, and waits for them.
  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = process.descendants().collect(Collectors.toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      CompletableFuture.allOf(
              all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("cannot end what was started; " + this, e);
    }
    process.getOutputStream().close();
  }

  @Override
  public String toString() {
    return "screen: '" + screen.toString().replace("\033", "^[") + "'";
  }
}
