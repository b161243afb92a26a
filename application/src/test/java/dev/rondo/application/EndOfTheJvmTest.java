package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.testing.BackendsToTest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Applications that end together with their JVM, in child JVMs: on the backends to test, or on the
/// backend that a case names.
final class EndOfTheJvmTest {

  private static final List<String> BACKENDS = BackendsToTest.of(EndOfTheJvmTest.class);

  /// The programs of the child JVMs.
  static final class Program {

    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      switch (args[0]) {
        case "sleeper" -> Application.run(Program::sleep);
        case "patient" ->
            Application.builder()
                .shutdownLimits(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE))
                .run(Program::sleep);
        case "server" ->
            Application.builder()
                .shutdownLimits(Duration.ofMinutes(1), Duration.ofSeconds(10))
                .run(Program::serve);
        case "exit" -> Application.runAndExit(app -> app.exit(7));
        case "success" -> Application.runAndExit(app -> app.sleep(Duration.ofMillis(1)));
        case "failure" ->
            Application.runAndExit(app -> {
              throw new IOException("disk on fire");
            });
        case "alerts" ->
            Application.builder()
                .observers(o -> o.watchdog(Duration.ofMillis(20)))
                .runAndExit(app -> {
                  app.spawn("idiom", () -> Thread.currentThread().interrupt());
                  app.yield();
                  var _ = System.in.read(); // until the parent has read the watchdog's report
                  Thread loop = Thread.currentThread();
                  app.blocking(() -> {
                    loop.interrupt();
                    return null;
                  });
                });
        case "failures" ->
            Application.runAndExit(app -> {
              app.spawn(
                  "worker",
                  () -> {
                    throw new IllegalStateException("of a worker");
                  });
              app.yield();
              throw new IOException("disk on fire");
            });
        case "untilSignalled" -> Application.runAndExit(Program::sleep);
        case "deadlock" -> Application.runAndExit(app -> app.waitForSignal("never"));
        case "stubborn" ->
            Application.runAndExit(app -> {
              app.spawn("stubborn", () -> refuseToGo(app));
              app.yield(); // a task that has not begun would be dropped
              app.shutdown(Duration.ofMillis(10), Duration.ofMillis(10));
            });
        case "stubbornServer" ->
            Application.builder()
                .shutdownLimits(Duration.ZERO, Duration.ofMillis(10))
                .runAndExit(app -> {
                  System.out.println("ready");
                  refuseToGo(app);
                });
        case "exitInATask" -> withAnHourOfGrace().run(app -> exitBeside(app, Program::sleep));
        case "exitBesideAStubbornOne" ->
            Application.builder()
                .shutdownLimits(Duration.ZERO, Duration.ofMillis(10))
                .run(app -> exitBeside(app, Program::refuseToGo));
        case "exitInADaemon" ->
            withAnHourOfGrace()
                .run(app -> {
                  Task<Void> exit = app.scheduler().newTask("exit", () -> System.exit(3));
                  app.scheduler().scheduleTask(exit.daemon());
                  sleep(app);
                });
        case "exitWhileItCleansUp" ->
            withAnHourOfGrace()
                .run(app -> {
                  try {
                    sleep(app);
                  } finally {
                    System.exit(3);
                  }
                });
        case "failsAtTheSignal" ->
            Application.runAndExit(app -> {
              System.out.println("ready");
              try {
                app.await(app.shutdownRequested());
              } finally {
                throwFullDisk();
              }
            });
        case "loops" -> loops().runAndExit(loop -> sleep(loop.app()));
        case "loopsThatDrain" ->
            Application.builder()
                .shutdownLimits(Duration.ofMinutes(1), Duration.ofSeconds(10))
                .loops("loop", 2)
                .runAndExit(loop -> serve(loop.app()));
        case "loopsOfWhichOneExits" ->
            loops()
                .runAndExit(loop -> {
                  if (loop.index() == 0) {
                    loop.group().exit(7);
                  }
                  loop.app().sleep(Duration.ofDays(1));
                });
        case "loopsOfWhichOneFails" ->
            loops()
                .runAndExit(loop -> {
                  if (loop.index() == 1) {
                    throw new IOException("disk on fire");
                  }
                  loop.app().sleep(Duration.ofDays(1));
                });
        case "loopsOfWhichOneCallsExit" ->
            loops()
                .runAndExit(loop -> {
                  if (loop.index() == 1) {
                    System.exit(3);
                  }
                  loop.app().sleep(Duration.ofDays(1));
                });
        case "loopsOfWhichOneFailsAtTheSignal" ->
            Application.builder()
                .shutdownLimits(Duration.ofMinutes(1), Duration.ofSeconds(10))
                .loops("loop", 2)
                .restartFailed(10, Duration.ofDays(1))
                .runAndExit(loop -> {
                  if (loop.index() == 0) {
                    serve(loop.app());
                  } else {
                    System.out.println("ready");
                    loop.app().await(loop.app().shutdownRequested());
                    throw new IOException("while it ends");
                  }
                });
        default -> throw new IllegalArgumentException(args[0]);
      }
    }

    private static void throwFullDisk() throws IOException {
      throw new IOException("disk full");
    }

    private static ApplicationBuilder withAnHourOfGrace() {
      return Application.builder().shutdownLimits(Duration.ZERO, Duration.ofHours(1));
    }

    private static LoopGroup loops() {
      return withAnHourOfGrace().loops("loop", 2);
    }

    private static void exitBeside(Application app, Application.Main other) {
      app.spawn("other", () -> other.run(app));
      app.yield(); // a task that has not begun would be dropped
      System.exit(3);
    }

    /// Serves until the shutdown, then finishes the work it has begun.
    private static void serve(Application app) {
      app.spawn(
          "begun",
          () -> {
            app.await(app.shutdownRequested());
            app.sleep(Duration.ofMillis(20));
            System.out.println("finished");
          });
      System.out.println("ready");
      app.await(app.shutdownRequested());
    }

    private static void refuseToGo(Application app) {
      while (true) {
        try {
          app.sleep(Duration.ofDays(1));
        } catch (TaskCancelled _) {
          app.scheduler(); // continues
        }
      }
    }

    private static void sleep(Application app) throws Exception {
      try {
        System.out.println("ready");
        app.sleep(Duration.ofDays(1));
      } finally {
        app.scheduler()
            .shielded(() -> {
              app.sleep(Duration.ofMillis(20));
              return null;
            });
        System.out.println("cleaned up");
      }
    }
  }

  private static Process start(String backend, String program) throws IOException {
    return start(backend, program, System.getProperty("java.class.path"));
  }

  private static Process start(String backend, String program, String classPath)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Drondo.backend=" + backend,
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
            "-cp",
            classPath,
            Program.class.getName(),
            program)
        .redirectErrorStream(true)
        .start();
  }

  private static List<String> backends() {
    return BACKENDS;
  }

  private static List<String> restOf(BufferedReader output) throws IOException {
    var lines = new ArrayList<String>();
    for (String line; (line = output.readLine()) != null; ) {
      lines.add(line);
    }
    return lines;
  }

  /// Reads up to the first line that contains a text, or to the end.
  private static String linesUntil(BufferedReader output, String text) throws IOException {
    var lines = new StringBuilder();
    String line;
    do {
      line = output.readLine();
      lines.append(line).append('\n');
    } while (line != null && !line.contains(text));
    return lines.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleeper", "patient"})
  void sigterm_runningApplication_cleansUpAndDiesOfIt(String program) throws Exception {
    for (String backend : BACKENDS) {
      Process process = start(backend, program);
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        assertEquals("ready", output.readLine());
        process.toHandle().destroy(); // SIGTERM
        assertEquals(List.of("cleaned up"), restOf(output), backend);
        assertEquals(128 + 15, process.waitFor());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void sigterm_applicationThatDrains_finishesWhatItHasBegun(String backend) throws Exception {
    Process process = start(backend, "server");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("ready", output.readLine());
      process.toHandle().destroy(); // SIGTERM
      assertEquals(List.of("finished"), restOf(output));
      assertEquals(128 + 15, process.waitFor());
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 2", "TERM, 15"})
  void runAndExit_signal_cleansUpAndExitsWithItsNumber(String signal, int number) throws Exception {
    assumeFalse(isIgnored(number), "this JVM, and so its children, were started to ignore it");
    for (String backend : BACKENDS) {
      Process process = start(backend, "untilSignalled");
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        assertEquals("ready", output.readLine());
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
        assertEquals(List.of("cleaned up"), restOf(output), backend);
        assertEquals(128 + number, process.waitFor());
      }
    }
  }

  /// The JVM ends before the caller of `run` could report the failure.
  @ParameterizedTest
  @MethodSource("backends")
  void sigterm_mainFailsWhileItCleansUp_isLoggedOnce(String backend) throws Exception {
    Process process = start(backend, "failsAtTheSignal");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("ready", output.readLine());
      process.toHandle().destroy(); // SIGTERM
      List<String> lines = restOf(output);
      assertEquals(
          1,
          lines.stream().filter(line -> line.contains("the application failed")).count(),
          lines::toString);
      assertTrue(lines.toString().contains("disk full"), lines::toString);
      assertEquals(128 + 15, process.waitFor());
    }
  }

  /// {@return whether this process ignores a signal, as one started by a shell in the background
  /// does}
  private static boolean isIgnored(int signal) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) == 1;
      }
    }
    return false;
  }

  /// The second signal changes nothing, as with one application.
  @ParameterizedTest
  @CsvSource({"loops, cleaned up", "loopsThatDrain, finished"})
  void sigterm_twiceToSeveralLoops_eachEndsInOrder(String program, String line) throws Exception {
    for (String backend : BACKENDS) {
      Process process = start(backend, program);
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        assertEquals("ready", output.readLine());
        assertEquals("ready", output.readLine());
        process.toHandle().destroy(); // SIGTERM
        process.toHandle().destroy();
        assertEquals(List.of(line, line), restOf(output), backend);
        assertEquals(128 + 15, process.waitFor());
      }
    }
  }

  @Test
  void sigterm_oneOfSeveralLoopsFailsMeanwhile_othersEndInOrder() throws Exception {
    Process process = start("continuation", "loopsOfWhichOneFailsAtTheSignal");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("ready", output.readLine());
      assertEquals("ready", output.readLine());
      process.toHandle().destroy(); // SIGTERM
      List<String> lines = restOf(output);
      assertTrue(lines.contains("finished"), lines::toString);
      assertEquals(128 + 15, process.waitFor());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "loopsOfWhichOneExits, 7",
    "loopsOfWhichOneFails, 1",
    "loopsOfWhichOneCallsExit, 3",
  })
  void runAndExit_severalLoops_isTheExitCode(String program, int code) throws Exception {
    for (String backend : BACKENDS) {
      assertEquals(code, start(backend, program).waitFor(), backend);
    }
  }

  @ParameterizedTest
  @CsvSource({"exit, 7", "success, 0", "failure, 1", "deadlock, 1", "stubborn, 70"})
  void runAndExit_anyEnd_isTheExitCode(String program, int code) throws Exception {
    for (String backend : BACKENDS) {
      assertEquals(code, start(backend, program).waitFor(), backend);
    }
  }

  /// The call of `System.exit` blocks its task, which cannot end.
  @ParameterizedTest
  @CsvSource({
    "continuation, exitInATask",
    "bound, exitInATask",
    "bound, exitInADaemon",
    "bound, exitBesideAStubbornOne"
  })
  void exit_whileAnApplicationRuns_doesNotTakeItsGrace(String backend, String program)
      throws Exception {
    Process process = start(backend, program);
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = restOf(output);
      assertEquals(3, process.waitFor(), lines::toString);
      if (backend.equals("bound") && !program.equals("exitBesideAStubbornOne")) {
        assertEquals(List.of("ready", "cleaned up"), lines);
      }
    }
  }

  @Test
  void sigterm_taskThatExitsWhileItCleansUp_doesNotTakeTheGrace() throws Exception {
    Process process = start("bound", "exitWhileItCleansUp");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("ready", output.readLine());
      process.toHandle().destroy(); // SIGTERM
      assertEquals(List.of("cleaned up"), restOf(output));
      assertEquals(128 + 15, process.waitFor());
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void runAndExit_signalAndGraceExceeded_namesTheTasksThatAreLeft(String backend) throws Exception {
    Process process = start(backend, "stubbornServer");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("ready", output.readLine());
      process.toHandle().destroy(); // SIGTERM
      List<String> lines = restOf(output);
      assertTrue(lines.stream().anyMatch(line -> line.contains("'main'")), lines::toString);
      assertEquals(128 + 15, process.waitFor());
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void runAndExit_mainFails_logsTheFailureAndExitsWithOne(String backend) throws Exception {
    Process process = start(backend, "failure");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = restOf(output);
      assertTrue(lines.stream().anyMatch(line -> line.contains("disk on fire")), lines::toString);
      assertEquals(1, process.waitFor());
    }
  }

  private static String classPathWithoutALoggingLibrary() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("logback"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void alerts_withoutALoggingLibrary_areOnTheErrorStream() throws Exception {
    Process process = start("continuation", "alerts", classPathWithoutALoggingLibrary());
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String all = linesUntil(output, "FileInputStream.read"); // the watchdog's stack of the turn
      process.outputWriter().append('\n').close();
      all += String.join("\n", restOf(output));
      assertTrue(all.contains("task 'idiom' has ended after it interrupted"), all);
      assertTrue(all.contains("task 'main'"), all);
      assertTrue(all.contains("was interrupted from outside"), all);
      assertEquals(ExitCode.INTERRUPTED, process.waitFor());
    }
  }

  @Test
  void failures_withoutALoggingLibrary_areOnTheErrorStream() throws Exception {
    Process process = start("continuation", "failures", classPathWithoutALoggingLibrary());
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String all = String.join("\n", restOf(output));
      assertTrue(all.contains("task 'worker' failed"), all);
      assertTrue(all.contains("IllegalStateException: of a worker"), all);
      assertTrue(all.contains("the application failed"), all);
      assertTrue(all.contains("IOException: disk on fire"), all);
      assertEquals(1, process.waitFor());
    }
  }
}
