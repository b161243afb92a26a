package dev.rondo.benchmarks.run;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The results in Markdown: one table for each workload, in which competitors stand together.
final class Table {

  private static final String NOTHING = "";
  private static final double WHOLE = 1_000;
  private static final double TENTHS = 10;
  private static final double THOUSANDTHS = 0.1;

  private final Results results;
  private final StringBuilder text = new StringBuilder();

  private Table(Results results) {
    this.results = results;
  }

  static String of(Results results, Machine machine) {
    var table = new Table(results);
    table.head(machine);
    table.notes("Failed", results.failures());
    table.notes("Left out", results.skipped());
    table.summary();
    results.rows().stream().map(Row::workload).distinct().forEach(table::workload);
    return table.text.toString();
  }

  private void line(String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void head(Machine machine) {
    text.append("# Benchmarks\n\n");
    machine.facts().forEach((name, value) -> line(name, value));
    // a Markdown table needs a heading: use the first row
    int end = text.indexOf("\n", text.indexOf("|")) + 1;
    text.insert(end, "|---|---|\n");
    text.append(
        """

        Medians of all iterations of all forks, and from the least to the most of them. A ratio is \
        how many times as dear a row is as the best peer, or as the limit: the least code that does \
        the same job. Below 1.00 the row is better; ∞ is what anything is beside zero. Rows without a \
        stack have no ratio to a limit that has one.
        """);
  }

  private void notes(String title, Collection<Results.Note> notes) {
    if (notes.isEmpty()) {
      return;
    }
    text.append("\n## ").append(title).append("\n\n");
    line("workload", "why");
    line("---", "---");
    notes.forEach(note -> line(note.workload(), note.why().replace('|', '/').replace('\n', ' ')));
  }

  /// Writes all of Rondo's rows as one table.
  private void summary() {
    text.append("\n## Rondo\n\n");
    line("workload", "size", "measure", "who", "median", "best peer", "/ best peer", "/ limit");
    line("---", "---", "---", "---", "--:", "---", "--:", "--:");
    for (Row row : results.rows()) {
      if (row.role() == Row.Role.OURS) {
        Optional<Row> peer = results.bestPeer(row);
        line(
            row.workload(),
            row.params(),
            row.measure(),
            row.who(),
            number(results.numbers(row).median()),
            peer.map(it -> it.who() + " " + number(results.numbers(it).median())).orElse(NOTHING),
            ratio(row, peer),
            ratio(row, results.limit(row)));
      }
    }
  }

  private void workload(String workload) {
    text.append("\n## ").append(workload).append("\n\n");
    line("size", "measure", "who", "median", "spread", Results.ALLOCATED, "/ best peer", "/ limit");
    line("---", "---", "---", "--:", "---", "--:", "--:", "--:");
    Set<Row> done = new HashSet<>();
    for (Row row : results.rows()) {
      if (row.workload().equals(workload) && !done.contains(row)) {
        List<Row> rivals = results.rows().stream().filter(row::competesWith).toList();
        rivals.forEach(this::rival);
        done.addAll(rivals);
      }
    }
  }

  private void rival(Row row) {
    Numbers numbers = results.numbers(row);
    var allocated = results.allocated(row);
    line(
        row.params(),
        row.measure(),
        row.who(),
        number(numbers.median()),
        number(numbers.min()) + " .. " + number(numbers.max()),
        allocated.isPresent() ? bytes(allocated.getAsDouble()) : NOTHING,
        ratio(row, results.bestPeer(row)),
        ratio(row, results.limit(row)));
  }

  private String ratio(Row row, Optional<Row> other) {
    if (other.isEmpty() || other.get().equals(row)) {
      return NOTHING;
    }
    double ratio = results.ratio(row, other.get());
    if (!Double.isFinite(ratio)) {
      return "∞";
    }
    return String.format(Locale.ROOT, ratio < THOUSANDTHS ? "%.3f" : "%.2f", ratio);
  }

  /// {@return a number with three significant digits, or with all digits before the point}
  static String number(double value) {
    if (Math.abs(value) >= WHOLE) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (Math.abs(value) >= TENTHS) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /// {@return zero if the number is less than half a byte per operation, which is noise}
  static String bytes(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
