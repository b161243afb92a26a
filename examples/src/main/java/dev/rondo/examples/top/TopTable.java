package dev.rondo.examples.top;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The table that `Top` shows, made from dumps of schedulers. The table before it gives the rates.
public final class TopTable {

  /// Characters that a terminal does not print as they are.
  private static final Pattern OBEYED = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private static final String FORMAT = "%6s %-9s %8s %8s %9s %9s %9s  %s";

  /// A snapshot of a scheduler.
  ///
  /// @param name the name given to `management(name)`
  /// @param turns the number of turns so far, of all tasks
  /// @param dump the result of `SchedulerMXBean.dumpJson`
  public record Scheduler(String name, long turns, String dump) {}

  /// A row.
  ///
  /// @param used run time in nanoseconds since the last table, or at first since the task began;
  ///   the sort key
  /// @param since nanoseconds in the current state
  /// @param text the line
  private record Row(long used, long since, String text) {}

  private final long atNanos;
  private final @Nullable TopTable before;
  private final List<Scheduler> schedulers;

  /// Run times by scheduler and id of the task.
  private final Map<String, Long> runNanos = new HashMap<>();

  public TopTable() {
    this(0, null, List.of());
  }

  private TopTable(long atNanos, @Nullable TopTable before, List<Scheduler> schedulers) {
    this.atNanos = atNanos;
    this.before = before;
    this.schedulers = schedulers;
  }

  /// {@return the next table}
  public TopTable next(long now, List<Scheduler> seen) {
    var last =
        new TopTable(
            atNanos, null, schedulers); // without its own predecessor, so that one table is kept
    last.runNanos.putAll(runNanos);
    return new TopTable(now, last, seen);
  }

  /// {@return the table as text, the busiest tasks first}
  ///
  /// @param columns the most characters in a line
  /// @param rows the most lines
  public String draw(int columns, int rows) {
    var lines = new ArrayList<String>();
    for (Scheduler each : schedulers) {
      JsonObject dump = JsonParser.parseString(each.dump).getAsJsonObject();
      JsonObject head = dump.getAsJsonObject("scheduler");
      lines.add(
          "%s on %s: %d tasks alive, %d ready, %,d turns%s"
              .formatted(
                  harmless(each.name),
                  head.get("backend").getAsString(),
                  head.get("alive").getAsInt(),
                  head.get("ready").getAsInt(),
                  each.turns,
                  rate(each)));
      if (dump.has("noAnswer")) {
        lines.add(noAnswer(dump.getAsJsonObject("noAnswer")));
      }
      if (dump.has("addOns")) {
        dump.getAsJsonArray("addOns").forEach(addOn -> addOn(addOn.getAsJsonObject(), lines));
      }
      lines.add(FORMAT.formatted("ID", "STATE", "TURNS", "RUN", "NOW", "LONGEST", "SINCE", "TASK"));
      var tasks = new ArrayList<Row>();
      for (JsonElement task : dump.getAsJsonArray("tasks")) {
        tasks.add(row(each.name, task.getAsJsonObject()));
      }
      tasks.sort(Comparator.comparingLong(Row::used).reversed().thenComparingLong(Row::since));
      tasks.forEach(row -> lines.add(row.text));
    }
    var text = new StringBuilder();
    for (String line : lines.subList(0, Math.min(lines.size(), Math.max(1, rows)))) {
      text.append(line.length() > columns ? line.substring(0, columns) : line).append('\n');
    }
    return text.toString();
  }

  private static void addOn(JsonObject addOn, List<String> lines) {
    String figures =
        addOn.getAsJsonObject("figures").entrySet().stream()
            .map(figure -> figure.getKey() + " " + figure.getValue())
            .collect(joining(", "));
    lines.add(harmless(addOn.get("name").getAsString() + ": " + figures));
    for (JsonElement line : addOn.getAsJsonArray("lines")) {
      lines.add("  " + harmless(line.getAsString()));
    }
  }

  private String rate(Scheduler now) {
    if (before == null) {
      return "";
    }
    for (Scheduler then : before.schedulers) {
      if (then.name.equals(now.name)) {
        double seconds = (atNanos - before.atNanos) / 1e9;
        return String.format(Locale.ROOT, ", %,.0f/s", (now.turns - then.turns) / seconds);
      }
    }
    return "";
  }

  private Row row(String scheduler, JsonObject task) {
    long since = task.get("sinceNanos").getAsLong();
    String turns = "";
    String run = "";
    String now = "";
    String longest = "";
    long used = 0;
    if (task.has("metrics")) {
      JsonObject metrics = task.getAsJsonObject("metrics");
      long total = metrics.get("runNanos").getAsLong();
      String key = scheduler + "#" + task.get("id");
      runNanos.put(key, total);
      Long then = before == null ? null : before.runNanos.get(key);
      used = then == null ? total : total - then;
      now = then == null || before == null ? "" : percent(used, atNanos - before.atNanos);
      turns = "%,d".formatted(metrics.get("turns").getAsLong());
      run = time(total);
      longest = time(metrics.get("longestTurnNanos").getAsLong());
    }
    return new Row(
        used,
        since,
        FORMAT.formatted(
            task.get("id").getAsString(),
            task.get("state").getAsString(),
            turns,
            run,
            now,
            longest,
            since == 0 ? "" : time(since),
            what(task)));
  }

  private static String what(JsonObject task) {
    String text = task.get("name").getAsString();
    if (task.has("waitingFor")) {
      text += " <- " + task.get("waitingFor").getAsString();
    }
    if (task.has("holder")) {
      text += ", held by " + task.get("holder").getAsString();
    }
    return harmless(text);
  }

  /// The text with control characters written as `\u001b`.
  private static String harmless(String text) {
    return OBEYED
        .matcher(text)
        .replaceAll(found -> "\\\\u%04x".formatted(found.group().codePointAt(0)));
  }

  private static String noAnswer(JsonObject seen) {
    String task =
        seen.has("task")
            ? "task '" + harmless(seen.get("task").getAsString()) + "' has its turn, and "
            : "";
    long since = seen.get("sinceLastPassNanos").getAsLong();
    return "the loop does not answer: " + task + "its last pass was " + time(since) + " ago";
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / Math.max(1, whole));
  }

  private static String time(long nanos) {
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }
    return nanos < 1_000_000_000L
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
