package dev.rondo.inspector;

import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.observe.internal.LoopPage;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import dev.rondo.time.internal.ArmedTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Answers the page's requests, in JSON. Durations are in milliseconds. Any thread except loop
/// threads.
///
/// Each question to a loop is short, and the loop has turns between questions.
final class Answers {

  /// How long a loop may take for one question.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// The most tasks that one request looks at; the next request continues.
  private static final int MOST_VISITED = 50_000;

  private static final long MOST_ROWS = 1_000;
  private static final long USUAL_ROWS = 100;

  String answer(String path, Query query) throws Refusal {
    return switch (path) {
      case "/api/loops" -> loops();
      case "/api/tasks" -> tasks(query);
      case "/api/task" -> task(query);
      case "/api/timers" -> timers(query);
      case "/api/sockets" -> sockets(query);
      case "/api/waits" -> waits(query);
      default -> throw new Refusal(404, "there is no such page");
    };
  }

  // Loops.

  private static String loops() {
    var json = new Json().beginObject();
    json.member("pid", ProcessHandle.current().pid());
    json.member("java", Runtime.version().toString());
    json.name("loops").beginArray();
    EachLoop.ask(LoopMonitor.all(), Answers::look).forEach((loop, look) -> write(json, loop, look));
    return json.endArray().endObject().toString();
  }

  /// The answer of a loop.
  ///
  /// @param askedNanos when the loop was asked
  /// @param sample empty if the loop did not answer
  private record Look(long askedNanos, Optional<LoopSample> sample) {}

  private static Look look(LoopMonitor loop) {
    long asked = System.nanoTime();
    return new Look(asked, loop.ask(() -> LoopSample.of(loop.scheduler()), PATIENCE));
  }

  private static void write(Json json, LoopMonitor loop, Look look) {
    json.beginObject();
    json.member("number", loop.number()).member("name", loop.name());
    json.member("backend", loop.backend());
    json.member("alive", loop.taskCount()).member("ready", loop.readyCount());
    json.member("turns", loop.turnCount()).member("sockets", loop.channelCount());
    look.sample().ifPresent(sample -> sample.write(json, look.askedNanos()));
    if (look.sample().isEmpty() && !loop.isClosed()) {
      json.member("noAnswer", loop.noAnswer());
    }
    json.endObject();
  }

  private static LoopMonitor loop(Query query) throws Refusal {
    long number = query.number("loop", 0, Long.MAX_VALUE, 0);
    return LoopMonitor.all().stream()
        .filter(each -> each.number() == number)
        .findFirst()
        .orElseThrow(() -> new Refusal(404, "there is no such loop any more"));
  }

  // Tasks.

  private static String tasks(Query query) throws Refusal {
    LoopMonitor loop = loop(query);
    int from = (int) query.number("from", 0, Integer.MAX_VALUE, 0);
    int most = (int) query.number("most", 1, MOST_ROWS, USUAL_ROWS);
    Predicate<TaskInfo> wanted = wanted(query);
    var rows = new ArrayList<LoopPage.Row>();
    int visited = 0;
    int next = from;
    boolean answered = true;
    while (next != LoopPage.NO_MORE && rows.size() < most && visited < MOST_VISITED && answered) {
      Optional<LoopPage<LoopPage.Row>> page = loop.tasks(next, wanted, PATIENCE);
      if (page.isPresent()) {
        rows.addAll(page.get().found());
        visited += page.get().visited();
        next = page.get().next();
      }
      answered = page.isPresent();
    }
    if (rows.size() > most) {
      next = rows.get(most).slot();
    }
    var json = new Json().beginObject().name("rows").beginArray();
    List<LoopPage.Row> shown = rows.subList(0, Math.min(most, rows.size()));
    for (LoopPage.Row each : shown) {
      json.beginObject().member("slot", each.slot());
      write(json, each.task());
      json.endObject();
    }
    json.endArray().member("visited", visited).member("next", next);
    return end(json, loop, answered);
  }

  /// {@return a predicate for tasks in a state, with a text in their name or in the description of
  /// their wait}
  private static Predicate<TaskInfo> wanted(Query query) throws Refusal {
    String text = query.text("text").toLowerCase(Locale.ROOT);
    String name = query.text("state");
    TaskState state;
    try {
      state = name.isEmpty() ? null : TaskState.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, "there is no such state");
    }
    return task ->
        (state == null || task.state() == state)
            && (text.isEmpty()
                || has(task.name(), text)
                || has("#" + task.id(), text)
                || (task.waitingFor() != null && has(task.waitingFor(), text)));
  }

  private static boolean has(String where, String text) {
    return where.toLowerCase(Locale.ROOT).contains(text);
  }

  // Waits, timers and sockets.

  private static String waits(Query query) throws Refusal {
    int from = (int) query.number("from", 0, Integer.MAX_VALUE, 0);
    int most = (int) query.number("most", 1, MOST_ROWS, USUAL_ROWS);
    return new WaitReport(LoopMonitor.all(), PATIENCE, WaitReport.MOST_EDGES).write(from, most);
  }

  private static String timers(Query query) throws Refusal {
    LoopMonitor loop = loop(query);
    var json = new Json().beginObject().name("shown").beginArray();
    int most = (int) query.number("most", 1, MOST_ROWS, USUAL_ROWS);
    ArmedTimer.Place after = TimerSample.place(query.text("after"));
    Optional<TimerSample> sample = TimerSample.of(loop, after, most, PATIENCE);
    sample.ifPresent(present ->
        present
            .page()
            .forEach(each -> {
              json.beginObject()
                  .member("dueIn", each.dueIn())
                  .member("what", each.what())
                  .endObject();
            }));
    json.endArray();
    sample.ifPresent(
        present -> json.member("armed", present.armed()).member("next", present.next()));
    return end(json, loop, sample.isPresent());
  }

  private static String sockets(Query query) throws Refusal {
    LoopMonitor loop = loop(query);
    int most = (int) query.number("most", 1, MOST_ROWS, USUAL_ROWS);
    int next = (int) query.number("from", 0, Integer.MAX_VALUE, 0);
    var rows = new ArrayList<OpenChannel>();
    boolean answered = true;
    while (next != LoopPage.NO_MORE && rows.size() < most && answered) {
      Optional<LoopPage<OpenChannel>> page = loop.channels(next, most - rows.size(), PATIENCE);
      if (page.isPresent()) {
        rows.addAll(page.get().found());
        next = page.get().next();
      }
      answered = page.isPresent();
    }
    var json = new Json().beginObject().name("shown").beginArray();
    for (OpenChannel each : rows) {
      json.beginObject().member("name", each.name()).name("waits").beginArray();
      each.waits().forEach(json::value);
      json.endArray().endObject();
    }
    json.endArray().member("open", loop.channelCount()).member("next", next);
    return end(json, loop, answered);
  }

  private static String end(Json json, LoopMonitor loop, boolean answered) {
    if (!answered && !loop.isClosed()) {
      json.member("noAnswer", loop.noAnswer());
    }
    return json.endObject().toString();
  }

  // One task.

  private static String task(Query query) throws Refusal {
    LoopMonitor loop = loop(query);
    int slot = (int) query.number("slot", 0, Integer.MAX_VALUE, 0);
    long id = query.number("id", 0, Long.MAX_VALUE, 0);
    var json = new Json().beginObject();
    Optional<TaskInfo> found = loop.task(slot, id, PATIENCE);
    if (found.isPresent()) {
      write(json, found.get());
      json.name("stack").beginArray();
      found.get().usefulStack().forEach(frame -> json.value(frame.toString()));
      json.endArray();
    }
    return json.member("found", found.isPresent()).endObject().toString();
  }

  private static void write(Json json, TaskInfo task) {
    json.member("id", task.id()).member("name", task.name()).member("state", task.state().name());
    json.member("daemon", task.isDaemon());
    json.member("waitingFor", task.waitingFor()).member("holder", task.holder());
    json.member("since", task.since()).member("sinceLastWake", task.sinceLastWake());
    if (task.parentId().isPresent()) {
      json.member("parent", task.parentId().getAsLong());
    }
    var metrics = task.metrics();
    if (metrics != null) {
      json.member("turns", metrics.turns()).member("time", metrics.runTime());
      json.member("longest", metrics.longestTurn());
      metrics.allocatedBytes().ifPresent(bytes -> json.member("allocated", bytes));
    }
  }
}
