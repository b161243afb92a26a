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

/// The behaviour of each waiting word when its task is scheduled, cancelled or out of time, when
/// the thing that it waits for is closed, and so on: docs/inside/semantics.md, rule 4. Every word
/// is tried.
///
/// docs/guide/waits.md has two rules, one for things that can be closed and one for the others, and
/// a table of exceptions. A word behaves as its row of the table says. A word without a row follows
/// its rule. `-Drondo.words.write=true` writes the exceptions and the events, not the rules.
@EveryBackend
@BackendsDiffer
final class WaitingWordsTest {

  private static final Path PAGE = Path.of("../docs/guide/waits.md");
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final String DIRECT = "direct";
  private static final String NONE = "-";

  /// Suspending methods whose waits no other task can see.
  private static final Set<String> GIVE_WAY =
      Set.of(
          "Scheduler.yield(Object)",
          "Scheduler.checkpoint()",
          "Scheduler.halt(Object)",
          "TaskRunner.yield()",
          "Application.yield()",
          "Rondo.yieldNow()");

  /// Methods that cannot be made to wait here. They consist of methods that can.
  private static final Set<String> OF_OTHERS =
      Set.of(
          "ChildProcess.killWithDescendants()", // files.readAll
          "ChildProcess.signal(String)", // process.awaitExit
          "DnsClient.query(String, int)", // udp.receive
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
          // Made of waitables that a program gives them.
          "ScheduledDirectlyException.event()",
          "Source", // the properties of an add-on's event
          "Waitable.always(Object)",
          "Waitable.anyOf(List)",
          "Waitable.guard(Supplier)",
          "Waitable.map(Function)",
          "Waitable.never()");

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();

  private static List<Word> words() {
    return Stream.concat(CoreWords.all().stream(), IoWords.all().stream()).toList();
  }

  @Test
  void words_allThatCanSuspend_areTried() {
    var known = new TreeSet<String>(GIVE_WAY);
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
  void words_allOfThem_followTheRulesOrAreExceptions() throws Exception {
    var builder = Application.builder().backend(backend).clock(clock).bare();
    builder.failureHandler((where, failure) -> {});
    List<Row> rows = new ArrayList<>();
    try (var app = builder.build()) {
      app.start(main -> {
        for (Word word : words()) {
          rows.add(row(app, word));
        }
      });
    }
    compare(rows);
  }

  /// The observations of a word.
  ///
  /// @param closable whether the thing that it waits for can be closed
  /// @param cells as on the page
  /// @param event the same wait as an event, or [#NONE]
  private record Row(Word word, boolean closable, String cells, String event) {}

  private static void compare(List<Row> rows) throws IOException {
    String page = Files.readString(PAGE);
    Part rules = Part.ofTable(page, "| what a task waits for |");
    List<String> ruleOf = rules.text().lines().map(WaitingWordsTest::cells).toList();
    assertEquals(2, ruleOf.size(), "rules: for what cannot be closed, and for what can");
    Part exceptions = Part.ofTable(page, "| method |");
    String observed =
        rows.stream()
            .filter(row -> !row.cells().equals(ruleOf.get(row.closable() ? 1 : 0)))
            .map(row -> "| `" + row.word() + "` | " + row.cells() + " |\n")
            .collect(Collectors.joining());
    Part events = Part.after(page, "<!-- events -->\n");
    String selected =
        rows.stream()
            .map(Row::event)
            .filter(event -> !event.equals(NONE))
            .distinct()
            .collect(Collectors.joining(", ", "", ".\n"));
    if (Boolean.getBoolean("rondo.words.write")) {
      // From the back, so that the places of the others stay.
      Files.writeString(PAGE, exceptions.replacedIn(events.replacedIn(page, selected), observed));
      return;
    }
    String hint =
        "docs/guide/waits.md is not what the words do. If they are right, write it with"
            + " mvn test -pl application -Dtest=WaitingWordsTest -Drondo.words.write=true";
    assertEquals(exceptions.text(), observed, hint);
    assertEquals(events.text(), selected, hint);
  }

  /// {@return a row of a table without its first cell}
  private static String cells(String row) {
    return row.substring(row.indexOf(" | ") + " | ".length(), row.lastIndexOf(" |"));
  }

  /// A part of the page, up to an empty line or the end.
  private record Part(int begin, int end, String text) {

    /// The rows behind the two lines of the head.
    static Part ofTable(String page, String head) {
      int line = page.indexOf("\n|---", page.indexOf("\n" + head)) + 1;
      return to(page, page.indexOf('\n', line) + 1);
    }

    static Part after(String page, String marker) {
      return to(page, page.indexOf(marker) + marker.length());
    }

    private static Part to(String page, int begin) {
      int empty = page.indexOf("\n\n", begin);
      int end = empty < 0 ? page.length() : empty + 1;
      return new Part(begin, end, page.substring(begin, end));
    }

    String replacedIn(String page, String other) {
      return page.substring(0, begin) + other + page.substring(end);
    }
  }

  // One row.

  private interface Observation {
    String of(World world, Case one) throws Exception;
  }

  private Row row(Application app, Word word) throws Exception {
    String closed = observe(app, word, this::closed);
    List<String> cells =
        List.of(
            observe(app, word, this::scheduled),
            observe(app, word, this::cancelled),
            observe(app, word, this::limited),
            closed,
            observe(app, word, this::second));
    return new Row(
        word, !closed.equals(NONE), String.join(" | ", cells), observe(app, word, this::selected));
  }

  private static String observe(Application app, Word word, Observation column) throws Exception {
    var world = new World(app);
    try {
      return column.of(world, word.opener().open(world));
    } catch (Exception | AssertionError e) {
      throw new AssertionError(word.toString(), e);
    } finally {
      world.cleanUp();
    }
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

  /// Selects the event beside another one, and lets the other one come.
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
