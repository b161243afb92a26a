package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedEvent.Kind;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.internal.ReportText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A recording as text for the message of a failure.
final class TimelineText {

  private static final int MOST_COLUMN = 24;
  private static final String GAP = "  ";

  /// What matters less than messages, if there are some.
  private static final Set<Kind> OF_TURNS = EnumSet.of(Kind.SPAWN, Kind.TURN, Kind.WAIT, Kind.WAKE);

  private final List<Row> shown;
  private final long before;
  private final List<String> waits;

  /// Whether the turns of tasks are left out.
  private final boolean withoutTurns;

  /// @param isBrief whether to leave out the turns of tasks if there are messages between hosts
  TimelineText(Recording recording, int lines, boolean isBrief) {
    List<RecordedEvent> events = recording.events();
    this.withoutTurns = isBrief && events.stream().anyMatch(each -> each.kind() == Kind.SENT);
    List<Row> rows =
        Row.of(
            events.stream()
                .filter(each -> !withoutTurns || !OF_TURNS.contains(each.kind()))
                .toList());
    this.shown = rows.subList(Math.max(0, rows.size() - lines), rows.size());
    long first = shown.isEmpty() ? recording.overwritten() : shown.getFirst().event().number();
    this.before = first;
    this.waits = EventText.waits(recording.tasks());
  }

  String make() {
    var text = new StringBuilder();
    if (!waits.isEmpty()) {
      text.append("waiting at the end:\n");
      waits.forEach(each -> text.append(GAP).append(each).append('\n'));
    }
    text.append(before == 0 ? "what has happened" : "after " + before + " other events")
        .append(withoutTurns ? ", without the turns of tasks:\n" : ":\n");
    List<List<String>> cells = shown.stream().map(TimelineText::cells).toList();
    int[] widths = widths(cells);
    for (int i = 0; i < cells.size(); i++) {
      text.append(line(cells.get(i), widths)).append('\n');
    }
    return text.toString();
  }

  private static List<String> cells(Row row) {
    return List.of(
        EventText.time(row.event()),
        cut(ReportText.escaped(row.event().lane())),
        cut(ReportText.escaped(row.task())),
        row.text());
  }

  private static String cut(String text) {
    return Markup.cut(text, MOST_COLUMN);
  }

  /// The widths of all columns but the last; zero for one without text.
  private static int[] widths(List<List<String>> cells) {
    int[] widths = new int[3];
    for (List<String> each : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], each.get(i).length());
      }
    }
    return widths;
  }

  private static String line(List<String> cells, int[] widths) {
    var columns = new ArrayList<String>();
    columns.add(" ".repeat(widths[0] - cells.getFirst().length()) + cells.getFirst());
    for (int i = 1; i < widths.length; i++) {
      if (widths[i] > 0) {
        columns.add(cells.get(i) + " ".repeat(widths[i] - cells.get(i).length()));
      }
    }
    columns.add(cells.getLast());
    return GAP + String.join(GAP, columns);
  }
}
