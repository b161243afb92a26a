package dev.rondo.examples.system;

import dev.rondo.application.Application;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.ExitStatus;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.system.SignalWatch;
import dev.rondo.io.system.SystemInfo;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.scheduler.Selection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Supervises processes: reads their error output, asks one process to end, kills another with its
/// children, and reports how each has ended. A process sends a signal when it is ready.
final class Foreman {

  private static final int LONGEST_LINE_BYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Application app;
  private final WaitForProcess processes;
  private final List<String> story = new ArrayList<>();

  private Foreman(Application app) {
    this.app = app;
    this.processes = WaitForProcess.on(app.scheduler());
  }

  static void main() {
    Application.run(app -> {
      SystemInfo machine = SystemInfo.now();
      IO.println("%s, %d processors".formatted(machine.operatingSystem(), machine.cpus()));
      work(app).forEach(IO::println);
    });
  }

  /// {@return the ends of the processes}
  static List<String> work(Application app) throws IOException {
    var foreman = new Foreman(app);
    foreman.complaint();
    foreman.readiness();
    foreman.gentleEnd();
    foreman.hardEnd();
    foreman.family();
    return foreman.story;
  }

  private ChildProcess shell(String script) throws IOException {
    return processes.start(new ProcessBuilder("sh", "-c", script));
  }

  private static String end(ExitStatus status) {
    return switch (status) {
      case ExitStatus.Exited exited -> "exited with " + exited.value();
      case ExitStatus.Killed killed -> "killed by " + killed.name() + ", " + killed.value();
    };
  }

  private void complaint() throws IOException {
    try (ChildProcess child = shell("echo no paper >&2; exit 3")) {
      String line = child.error().readLine(LONGEST_LINE_BYTES);
      story.add("complains: " + line + ", " + end(child.awaitExit()));
    }
  }

  /// The child signals twice: this process waits for one, and selects the other.
  private void readiness() throws IOException {
    try (SignalWatch ready = WaitForOsSignal.on(app.scheduler()).listen("USR2");
        ChildProcess child = shell("kill -s USR2 $PPID; read line; kill -s USR2 $PPID")) {
      ready.await();
      story.add("ready");
      child.input().write("go on\n");
      Selection<?> event = app.select(ready.raising(), app.time().after(PATIENCE));
      story.add("ready again: " + (event.value() instanceof Integer));
      child.awaitExit();
    }
  }

  /// TERM first, and KILL only after a while.
  private void gentleEnd() throws IOException {
    try (ChildProcess child =
        shell("trap 'exit 0' TERM; echo started; while :; do sleep 0.01; done")) {
      child.output().readLine(LONGEST_LINE_BYTES);
      child.terminate();
      Selection<?> event = app.select(child.exit(), app.time().after(PATIENCE));
      if (event.value() instanceof ExitStatus status) {
        story.add("asked to end: " + end(status));
      } else {
        child.kill();
      }
    }
  }

  private void hardEnd() throws IOException {
    try (ChildProcess child = processes.start(new ProcessBuilder("sleep", "1000"))) {
      child.signal("KILL");
      story.add("signalled: " + end(child.awaitExit()));
    }
  }

  private void family() throws IOException {
    try (ChildProcess child = shell("sleep 1000 & echo started; sleep 1000")) {
      child.output().readLine(LONGEST_LINE_BYTES);
      int killed = child.killWithDescendants();
      story.add("several at once: %b, %s".formatted(killed > 1, end(child.awaitExit())));
    }
  }
}
