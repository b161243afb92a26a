package dev.rondo.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The cost of one operation as its number grows: tables, and lines for a picture.
final class Growth {

  /// One panel of the picture, which is one part of the table.
  ///
  /// @param title its title
  /// @param workload the workload of its rows
  /// @param param the parameter that grows
  /// @param who the competitors, a line for each
  record Panel(String title, String workload, String param, List<String> who) {}

  /// One line.
  ///
  /// @param who the competitor
  /// @param points the cost of an operation, for each size
  record Line(String who, TreeMap<Long, Double> points) {}

  static final List<Panel> PANELS =
      List.of(
          new Panel("Switch, by tasks", "switch", "ring", List.of("rondo", "bare", "kotlinx")),
          new Panel(
              "Stackless turn, by tasks",
              "turn",
              "ring",
              List.of("rondoStackless", "bareStackless")),
          new Panel(
              "Timer armed + cancelled, by timers",
              "arm cancel",
              "timers",
              List.of("rondo", "bare", "nettyWheel")),
          new Panel(
              "Task woken by a signal, by waiters",
              "fan out",
              "waiters",
              List.of("rondo", "bare", "rondoStackless")),
          new Panel("Signal sent to all, by waiters", "notify", "waiters", List.of("rondo")),
          new Panel(
              "Element to a waiting task, by channels",
              "channels",
              "channels",
              List.of("rondo", "bare", "rondoStackless")),
          new Panel(
              "CPU of a server per message, by connections",
              "connections",
              "connections",
              List.of("rondo", "bare", "rondoEpoll", "nettyEpoll")));

  private static final int FEWEST_POINTS = 3;

  private Growth() {}

  /// {@return the lines of a panel that have at least two points}
  static List<Line> lines(Panel panel, Results results) {
    List<Line> lines = new ArrayList<>();
    for (String who : panel.who) {
      var points = new TreeMap<Long, Double>();
      for (Row row : results.rows()) {
        if (row.workload().equals(panel.workload) && row.who().equals(who)) {
          size(row, panel.param).ifPresent(size -> points.put(size, results.numbers(row).median()));
        }
      }
      if (points.size() >= FEWEST_POINTS) {
        lines.add(new Line(who, points));
      }
    }
    return lines;
  }

  private static Optional<Long> size(Row row, String param) {
    String prefix = param + "=";
    return row.params().startsWith(prefix)
        ? Optional.of(Long.valueOf(row.params().substring(prefix.length())))
        : Optional.empty();
  }

  static boolean isIn(Results results) {
    return PANELS.stream().anyMatch(panel -> !lines(panel, results).isEmpty());
  }

  /// {@return the tables in Markdown}
  static String table(Results results) {
    var text = new StringBuilder("\n# As work grows: ns/op\n");
    for (Panel panel : PANELS) {
      List<Line> lines = lines(panel, results);
      if (lines.isEmpty()) {
        continue;
      }
      text.append("\n## ").append(panel.title).append("\n\n| ").append(panel.param);
      lines.forEach(line -> text.append(" | ").append(line.who));
      text.append(" |\n|--:").append("|--:".repeat(lines.size())).append("|\n");
      var sizes = new TreeMap<Long, Boolean>();
      lines.forEach(line -> line.points.keySet().forEach(size -> sizes.put(size, true)));
      for (Map.Entry<Long, Boolean> size : sizes.entrySet()) {
        text.append(String.format(Locale.ROOT, "| %,d", size.getKey()));
        for (Line line : lines) {
          Double value = line.points.get(size.getKey());
          text.append(" | ").append(value == null ? "" : Table.number(value));
        }
        text.append(" |\n");
      }
    }
    return text.toString();
  }
}
