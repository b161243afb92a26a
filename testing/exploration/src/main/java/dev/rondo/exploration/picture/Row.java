package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedEvent.Kind;
import java.util.ArrayList;
import java.util.List;

/// A line of a timeline: an event, or several turns of one task that come one after the other.
///
/// @param event the first of them
/// @param count how many
record Row(RecordedEvent event, int count) {

  static List<Row> of(List<RecordedEvent> events) {
    var rows = new ArrayList<Row>(events.size());
    for (RecordedEvent each : events) {
      Row last = rows.isEmpty() ? null : rows.getLast();
      if (last != null && last.isContinuedBy(each)) {
        rows.set(rows.size() - 1, new Row(last.event, last.count + 1));
      } else {
        rows.add(new Row(each, 1));
      }
    }
    return rows;
  }

  private boolean isContinuedBy(RecordedEvent next) {
    return event.kind() == Kind.TURN
        && next.kind() == Kind.TURN
        && event.at().equals(next.at())
        && event.task() != null
        && event.task().equals(next.task());
  }

  String text() {
    String text = EventText.of(event);
    return count == 1 ? text : text + ", " + count + " turns";
  }

  /// {@return the name of its task; empty if it has none}
  String task() {
    return event.task() == null ? "" : event.task().name();
  }
}
