package dev.rondo.application.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.words.Word.Case;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// What each word that waits does when its task is scheduled, cancelled or out of time, when what
/// it waits for is closed, and so on: docs/inside/semantics.md, rule 4. Every word is here.
///
/// The table in docs/guide/waiting-words.md is what this test observes. `-Drondo.words.write=true`
/// writes it.
@EveryBackend
@BackendsDiffer
final class WaitingWordsTest {

  private static final Path PAGE = Path.of("../docs/guide/waiting-words.md");
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final String DIRECT = "direct";
  private static final String NONE = "-";

  /// Suspending methods that wait for nothing that another task could see.
  private static final Set<String> GIVE_WAY =
      Set.of(
          "Scheduler.yield()",
          "Scheduler.yield(Object)",
          "Scheduler.checkpoint()",
          "Scheduler.halt(Object)",
          "Application.yield()",
          "Rondo.yieldNow()");

  /// Methods that drive a scheduler, and belong to no task.
  private static final Set<String> DRIVE =
      Set.of(
          "Scheduler.close()",
          "Scheduler.run(Object)",
          "Scheduler.start()",
          "Scheduler.step()",
          "Scheduler.step(Object)",
          "Application.close()",
          "Application.run(Application$Main)",
          "Application.runAndExit(Application$Main)",
          "Application.start(Application$Main)",
          "ApplicationBuilder.build()",
          "ApplicationBuilder.run(Application$Main)",
          "ApplicationBuilder.runAndExit(Application$Main)",
          "IdleStrategy.idle()",
          "IdleStrategy.idleUntil(long)",
          "IdleStrategy.pass()",
          "VirtualClock.advanceBy(Duration)");

  /// Methods that cannot be made to wait here, and consist of those that can.
  private static final Set<String> OF_OTHERS =
      Set.of(
          "ChildProcess.killWithDescendants()", // files.readAll
          "ChildProcess.signal(String)", // process.awaitExit
          "ChildProcess.terminateWithDescendants()", // files.readAll
          "DnsClient.query(String, int)", // udp.receive
          "DnsClient.querying(String, int)", // udp.receive
          "LoopListener.accept()", // of a group: listener.accept, or channel.receive
          "LoopListener.accepting()", // the same
          "TaskTerminal.readingKey()", // BlockingInput.read
          "TaskTerminal.readingLine(String)", // BlockingInput.read
          "TaskTerminal.open(Scheduler)", // app.blocking
          "TaskTerminal.open(Scheduler, String, InputStream, OutputStream)", // app.blocking
          "TaskTerminal.readKey()", // BlockingInput.read
          "TaskTerminal.readLine(String)", // BlockingInput.read
          "TaskTerminal.write(String)", // app.blocking
          "TlsClient.connect(String, int)", // app.connect, socket.read
          "TlsSocket.applicationProtocol()", // socket.read
          "TlsSocket.close()", // socket.write
          "TlsSocket.handshake()", // socket.read
          "TlsSocket.session()", // socket.read
          "TlsSocket.write(ByteBuffer)", // socket.write
          "UdpSocket.send(ByteBuffer)", // socket.write; the system takes a datagram at once
          "UdpSocket.send(ByteBuffer, InetSocketAddress)",
          "WaitForProcess.start(ProcessBuilder)", // files.readAll
          "WaitForProcess.start(String[])",
          // Made of waitables that a program gives them.
          "LoopView.awaited(Task)",
          "ScheduledDirectlyException.event()",
          "Waitable.always(Object)",
          "Waitable.anyOf(List)",
          "Waitable.guard(Supplier)",
          "Waitable.map(Function)",
          "Waitable.never()");

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = VirtualClock.create();

  private static List<Word> words() {
    return Stream.concat(CoreWords.all().stream(), IoWords.all().stream()).toList();
  }

  @Test
  void words_allThatCanSuspend_areInTheTable() {
    var known = new TreeSet<String>(GIVE_WAY);
    known.addAll(DRIVE);
    known.addAll(OF_OTHERS);
    words().forEach(word -> known.addAll(word.methods()));
    var missing = SuspendingMethods.find();
    missing.removeAll(known);
    assertEquals(
        Set.of(), missing, "add them to a word of CoreWords or IoWords, with a case that waits");
    known.removeAll(SuspendingMethods.find());
    assertEquals(Set.of(), known, "these are gone");
  }

  @Test
  void words_allOfThem_areAsInTheTable() throws Exception {
    var builder = Application.builder().backend(backend).clock(clock).withoutWatchdog();
    builder.failureHandler((where, failure) -> {});
    List<String> rows = new ArrayList<>();
    try (var app = builder.build()) {
      app.start(main -> {
        for (Word word : words()) {
          rows.add(row(app, word));
        }
      });
    }
    compare(rows);
  }

  private static void compare(List<String> rows) throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf("\n|---") + 1;
    begin = page.indexOf('\n', begin) + 1;
    int end = page.indexOf("\n\n", begin) + 1;
    String table = String.join("\n", rows) + "\n";
    if (Boolean.getBoolean("rondo.words.write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
      return;
    }
    assertEquals(
        page.substring(begin, end),
        table,
        "docs/guide/waiting-words.md is not what the words do. If they are right, write it with"
            + " mvn test -pl application -Dtest=WaitingWordsTest -Drondo.words.write=true");
  }

  // One row.

  private interface Observation {
    String of(World world, Case one) throws Exception;
  }

  private String row(Application app, Word word) throws Exception {
    List<Observation> columns =
        List.of(
            this::scheduled,
            this::cancelled,
            this::limited,
            this::closed,
            this::second,
            this::selected);
    var cells = new ArrayList<String>();
    for (Observation each : columns) {
      var world = new World(app);
      try {
        cells.add(each.of(world, word.opener().open(world)));
      } catch (Exception | AssertionError e) {
        throw new AssertionError(word + ", column " + (cells.size() + 1), e);
      } finally {
        world.cleanUp();
      }
    }
    return cells.stream().collect(Collectors.joining(" | ", "| `" + word + "` | ", " |"));
  }

  private Task<Object> begin(World world, Case one) throws Exception {
    Task<Object> task = world.app().spawn("waits", one.call());
    world.atEnd(() -> {
      task.cancel("over");
      Parked.settle(world.app(), task);
    });
    Parked.await(world.app(), task);
    one.begun().run();
    return task;
  }

  private Task<Object> beginToWait(World world, Case one) throws Exception {
    Task<Object> task = begin(world, one);
    assertTrue(!task.isDone(), () -> "did not wait: " + task.outcome());
    return task;
  }

  private String scheduled(World world, Case one) throws Exception {
    Task<Object> task = beginToWait(world, one);
    return world.scheduler().scheduleTask(task, DIRECT) ? after(world, one, task) : "refused";
  }

  private String cancelled(World world, Case one) throws Exception {
    Task<Object> task = beginToWait(world, one);
    task.cancel("test");
    return after(world, one, task);
  }

  private String limited(World world, Case one) throws Exception {
    Task<Object> task =
        beginToWait(
            world, Case.of(() -> world.app().within(LIMIT, one.call())).begunAfter(one.begun()));
    clock.skip(LIMIT);
    world.app().yield();
    return after(world, one, task);
  }

  private String closed(World world, Case one) throws Exception {
    var closing = one.closing();
    if (closing == null) {
      return NONE;
    }
    Task<Object> task = beginToWait(world, one);
    closing.close(task);
    return after(world, one, task);
  }

  private String second(World world, Case one) throws Exception {
    Task<Object> task = beginToWait(world, one);
    Task<Object> other = begin(world, one);
    assertTrue(!task.isDone(), () -> "the first did not wait on: " + task.outcome());
    return other.isDone() ? after(world, one, other) : "waits too";
  }

  /// Selects it beside another event, and lets that come.
  private String selected(World world, Case one) throws Exception {
    var event = one.event();
    if (event == null) {
      return NONE;
    }
    var other = world.promise();
    Task<Object> task =
        beginToWait(
            world, Case.of(() -> world.app().select(event, other.map(Object.class::cast)).index()));
    other.fulfill("other");
    Parked.settle(world.app(), task);
    assertEquals(1, task.join());
    return "`" + one.eventText() + "`";
  }

  private String after(World world, Case one, Task<Object> task) throws Exception {
    one.settled().run();
    Parked.settle(world.app(), task);
    return switch (task.outcome()) {
      case null -> "waits on";
      case Outcome.Success<Object>(Object value) ->
          DIRECT.equals(value) ? "returns it" : "returns " + value;
      case Outcome.Failure<Object>(ScheduledDirectlyException e) ->
          DIRECT.equals(e.value()) ? "fails with it" : "fails with " + e.value();
      case Outcome.Failure<Object>(Throwable e) -> "`" + e.getClass().getSimpleName() + "`";
      case Outcome.Cancelled<Object> c -> "cancelled";
    };
  }
}
