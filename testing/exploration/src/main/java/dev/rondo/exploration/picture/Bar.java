package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A turn or a wait of a task, from one row to another.
///
/// @param lane of the task
/// @param slot 0 for a turn; a wait has one of its own among those of its lane at that time
/// @param first the row that it begins in
/// @param last the row that it ends in
/// @param text what the task waits for; empty for a turn
record Bar(int lane, int slot, int first, int last, String text) {

  /// {@return all turns and waits}
  static List<Bar> of(List<Row> rows, Lanes lanes) {
    return new Finder(rows, lanes).find();
  }

  boolean isTurn() {
    return slot == 0;
  }

  private static final class Finder {

    private static final Comparator<Bar> ORDER =
        Comparator.comparingInt(Bar::first).thenComparingInt(Bar::lane).thenComparingInt(Bar::slot);

    private record Open(int lane, int slot, int first, String text) {}

    private final List<Row> rows;
    private final Lanes lanes;
    private final List<Bar> found = new ArrayList<>();
    private final Map<Long, Open> waits = new HashMap<>();

    /// The turn of each lane's scheduler; there is one at a time.
    private final Map<Integer, Open> turns = new HashMap<>();

    Finder(List<Row> rows, Lanes lanes) {
      this.rows = rows;
      this.lanes = lanes;
    }

    List<Bar> find() {
      for (int i = 0; i < rows.size(); i++) {
        look(i, rows.get(i).event());
      }
      int end = rows.size() - 1;
      turns.values().forEach(open -> close(open, end));
      waits.values().forEach(open -> close(open, end));
      found.sort(ORDER);
      return found;
    }

    private void look(int row, RecordedEvent event) {
      if (event.kind() == RecordedEvent.Kind.FAULT && endsAllTasks(event)) {
        int lane = lanes.of(event);
        endTurn(lane, row);
        waits.values().stream().filter(open -> open.lane == lane).forEach(open -> close(open, row));
        waits.values().removeIf(open -> open.lane == lane);
        return;
      }
      RecordedTask task = event.task();
      int lane = lanes.task(task);
      if (task == null || lane == Lanes.NONE) {
        return;
      }
      switch (event.kind()) {
        case TURN -> {
          endWait(task, row);
          if (lanes.areOfHosts()) {
            endTurn(lane, row - 1);
          } else {
            List.copyOf(turns.keySet()).forEach(each -> endTurn(each, row - 1));
          }
          turns.put(lane, new Open(lane, 0, row, ""));
        }
        case WAIT -> {
          endTurn(lane, row);
          waits.put(task.key(), new Open(lane, freeSlot(lane), row, EventText.of(event)));
        }
        case WAKE -> endWait(task, row);
        case END -> {
          endWait(task, row);
          endTurn(lane, row);
        }
        case SPAWN, CANCEL, NOTE, SENT, ARRIVED, LOST, FAULT, FAILURE -> {}
      }
    }

    /// Whether the program of a host is no more.
    private static boolean endsAllTasks(RecordedEvent event) {
      return event.text().startsWith("crash") || event.text().startsWith("powerOff");
    }

    private int freeSlot(int lane) {
      int slot = 1;
      while (isTaken(lane, slot)) {
        slot++;
      }
      return slot;
    }

    private boolean isTaken(int lane, int slot) {
      return waits.values().stream().anyMatch(each -> each.lane == lane && each.slot == slot);
    }

    private void endWait(RecordedTask task, int row) {
      Open open = waits.remove(task.key());
      if (open != null) {
        close(open, row);
      }
    }

    private void endTurn(int lane, int row) {
      Open open = turns.remove(lane);
      if (open != null) {
        close(open, row);
      }
    }

    private void close(Open open, int row) {
      found.add(new Bar(open.lane, open.slot, open.first, Math.max(open.first, row), open.text));
    }
  }
}
