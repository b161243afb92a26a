package dev.rondo.junit;

import static dev.rondo.junit.InnerTests.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequestManager;
import dev.rondo.application.Application;
import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// A run that is repeated in another JVM, under a debugger that stops it.
@EveryBackend
@Nightly("a JVM with a debugger for each case")
final class DebuggedReplayTest {

  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final int LOOKS = 50;

  @Parameter(0)
  CoroutineBackend backend;

  @TempDir private Path directory;

  /// Run in this JVM to find its failure, and in others to repeat it.
  static class Cases {

    private final List<String> log = new ArrayList<>();

    private void note(Application app, String what) {
      log.add(what + " at " + app.runningTime());
    }

    /// The debugger stops here.
    private void answers(Application app, String name) {
      note(app, name + " answers");
    }

    private void serve(Application app, String name, RandomGenerator random) {
      note(app, name + " begins");
      app.sleep(Duration.ofMillis(random.nextInt(2_000)));
      answers(app, name);
    }

    /// Each answer has a limit of one second of virtual time.
    @RondoTest(schedules = 1_000)
    void answersInTime(Application app, RandomGenerator random) throws Exception {
      var group = app.<Void>newGroup("servers");
      group.run(() -> {
        for (String name : List.of("first", "second")) {
          group.spawn(
              name,
              () -> {
                try {
                  app.within(Duration.ofSeconds(1), () -> serve(app, name, random));
                } catch (TimedOutException _) {
                  note(app, name + " is late");
                }
              });
        }
      });
      boolean late = log.stream().anyMatch(each -> each.startsWith("second is late"));
      assertFalse(late, () -> "an answer is late\n" + log); // the second line may differ
    }

    /// The same, and the run also has a limit of one second of real time.
    @RondoTest(schedules = 1_000, limitSeconds = 1)
    void answersSoon(Application app, RandomGenerator random) throws Exception {
      answersInTime(app, random);
    }
  }

  private String replay() {
    Throwable found = failure(InnerTests.run(backend, Cases.class, "answersInTime"));
    Matcher replay =
        Pattern.compile("rondo1-[A-Za-z0-9_-]+").matcher(InnerTests.noteOf(found).getMessage());
    assertTrue(replay.find());
    return replay.group();
  }

  /// {@return a program that repeats the run}
  ///
  /// @param test the name of the method
  /// @param flags of the JVM
  private ProcessBuilder program(String test, String replay, Path output, String... flags) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> each.startsWith("--add-"))
        .forEach(command::add);
    command.add("-XX:TieredStopAtLevel=1");
    String logging = "logback.configurationFile";
    command.add("-D" + logging + "=" + System.getProperty(logging));
    command.add("-D" + CoroutineBackends.PROPERTY + "=" + backend.name());
    command.add("-D" + FailureFiles.DIRECTORY_PROPERTY + "=" + directory);
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RondoReplay.class.getName());
    command.add(Cases.class.getName() + "#" + test);
    command.add(replay);
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
  }

  private static void kill(Process child) throws InterruptedException {
    child.destroyForcibly();
    int _ = child.waitFor();
  }

  private String printed(String replay) throws IOException, InterruptedException {
    Path output = directory.resolve("plain.txt");
    Process child = program("answersInTime", replay, output).start();
    try {
      assertEquals(1, child.waitFor());
    } finally {
      kill(child);
    }
    return Files.readString(output);
  }

  // The debugger.

  /// Runs the program, and stops it at each call of a method.
  ///
  /// @param test the name of the method
  private String printedWithDebugger(String test, String replay, Stop stop) throws Exception {
    Path output = directory.resolve("debugged.txt");
    ListeningConnector connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketListen"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("port").setValue("0");
    String address = connector.startListening(arguments);
    String agent = "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address;
    Process child = program(test, replay, output, agent).start();
    try {
      VirtualMachine debugged = connector.accept(arguments);
      follow(debugged, stop);
      assertEquals(1, child.waitFor());
    } finally {
      connector.stopListening(arguments);
      kill(child);
    }
    return Files.readString(output);
  }

  /// An action while the whole JVM is suspended at a breakpoint.
  private interface Stop {
    void at(ThreadReference stopped) throws IncompatibleThreadStateException;
  }

  /// Waits until the program has ended.
  private static void follow(VirtualMachine debugged, Stop stop) throws Exception {
    EventRequestManager requests = debugged.eventRequestManager();
    ClassPrepareRequest prepared = requests.createClassPrepareRequest();
    prepared.addClassFilter(Cases.class.getName());
    prepared.enable();
    while (true) {
      EventSet events = debugged.eventQueue().remove();
      for (Event event : events) {
        switch (event) {
          case ClassPrepareEvent loaded ->
              requests
                  .createBreakpointRequest(
                      loaded.referenceType().methodsByName("answers").getFirst().location())
                  .enable();
          case BreakpointEvent reached -> stop.at(reached.thread());
          case VMDisconnectEvent _ -> {
            return;
          }
          default -> {}
        }
      }
      events.resume();
    }
  }

  /// {@return the name that the method was called with}
  private static String lookAround(ThreadReference stopped)
      throws IncompatibleThreadStateException {
    return stopped.frames().stream()
        .filter(frame -> frame.location().method().name().equals("answers"))
        .map(frame -> ((StringReference) frame.getArgumentValues().getLast()).value())
        .findFirst()
        .orElseThrow();
  }

  // Tests.

  @Test
  void replay_stoppedByADebugger_hasTheSameFailureAtTheSameTimes() throws Exception {
    String replay = replay();
    String plain = printed(replay);
    assertTrue(plain.contains("second is late at PT1S"), plain);
    var names = new ArrayList<String>();
    String debugged =
        printedWithDebugger(
            "answersInTime",
            replay,
            stopped -> {
              for (int i = 0; i < LOOKS; i++) {
                names.add(lookAround(stopped));
              }
            });
    assertEquals(Collections.nCopies(LOOKS, "first"), names);
    assertEquals(plain, debugged);
  }

  @Test
  void replay_stoppedForLongerThanATestMayTake_isNoHang() throws Exception {
    assumeTrue(backend.name().equals("CONTINUATION"), "it is the same on all");
    String debugged =
        printedWithDebugger(
            "answersSoon",
            replay(),
            stopped -> {
              long begin = System.nanoTime();
              do {
                assertEquals("first", lookAround(stopped));
              } while (System.nanoTime() - begin <= LIMIT.toNanos());
            });
    assertTrue(debugged.contains("AssertionFailedError: an answer is late"), debugged);
  }
}
