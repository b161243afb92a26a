package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedTask;
import dev.rondo.scheduler.internal.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Events in words, each on one line.
final class EventText {

  private static final double NANOS_PER_SECOND = 1e9;

  private EventText() {}

  /// {@return when it happened, in seconds, with its unit}
  static String time(RecordedEvent event) {
    return String.format(Locale.ROOT, "%.6f s", event.at().toNanos() / NANOS_PER_SECOND);
  }

  /// {@return what has happened, without time, host and task}
  static String of(RecordedEvent event) {
    String text = ReportText.escaped(event.text());
    return switch (event.kind()) {
      case SPAWN -> "is made" + by(event.other());
      case TURN -> "runs";
      case WAIT -> waiting(text);
      case WAKE -> "is woken" + by(event.other());
      case CANCEL -> cancelled(text);
      case END -> text.isEmpty() ? "ends" : "ends, " + text;
      case NOTE -> text;
      case SENT -> "sends to " + ReportText.escaped(event.peer()) + ": " + text;
      case ARRIVED -> "receives from " + ReportText.escaped(event.peer()) + ": " + text;
      case LOST ->
          "what it sent to " + ReportText.escaped(event.peer()) + " does not arrive: " + text;
      case FAULT -> "FAULT: " + text;
      case FAILURE -> "FAILS: " + ReportText.escaped(firstLine(event.text()));
    };
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /// Without the name of the task, which is beside it.
  private static String cancelled(String text) {
    int by = text.indexOf(" was cancelled by ");
    return by < 0 ? "is cancelled: " + text : "is" + text.substring(by + " was".length());
  }

  private static String waiting(String text) {
    return switch (text) {
      case "", "SUSPENDED" -> "is suspended";
      case "IDLING" -> "idles";
      case "BLOCKED" -> "is in a blocking call";
      default -> "waits for " + text;
    };
  }

  private static String by(@Nullable RecordedTask other) {
    return other == null ? "" : " by " + ReportText.escaped(other.name());
  }

  /// {@return what else is known: the rest of what a failure says, the content of a message, the
  /// stack; lines, perhaps none}
  static List<String> details(RecordedEvent event) {
    var lines = new ArrayList<String>();
    if (event.kind() == RecordedEvent.Kind.FAILURE) {
      event.text().lines().skip(1).map(ReportText::escaped).forEach(lines::add);
    }
    event.detail().lines().map(ReportText::escaped).forEach(lines::add);
    event.stack().forEach(frame -> lines.add("    at " + ReportText.escaped(frame)));
    return lines;
  }

  /// {@return what the tasks that live wait for, a line for each}
  static List<String> waits(List<RecordedTask> tasks) {
    return tasks.stream()
        .filter(task -> task.state() != null && !task.state().isDone())
        .filter(task -> task.waitingFor() != null)
        .map(EventText::wait)
        .toList();
  }

  private static String wait(RecordedTask task) {
    String line =
        ReportText.escaped(task.toString())
            + " waits for "
            + ReportText.escaped(String.valueOf(task.waitingFor()));
    String holder = task.holder();
    return holder == null ? line : line + ", held by " + ReportText.escaped(holder);
  }
}
