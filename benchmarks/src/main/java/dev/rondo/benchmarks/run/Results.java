package dev.rondo.benchmarks.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.openjdk.jmh.results.RunResult;

/// The results of a run, in the order of their arrival.
final class Results {

  /// Bytes per operation, which is a column and not a row.
  static final String ALLOCATED = "B/op";

  /// A workload, or a part of one, that was not measured.
  ///
  /// @param workload its name
  /// @param why the reason, in one line
  record Note(String workload, String why) {}

  private final Map<Row, Numbers> rows = new LinkedHashMap<>();
  private final Map<Row, Numbers> allocated = new LinkedHashMap<>();
  private final List<RunResult> jmh = new ArrayList<>();
  private final List<Note> failures = new ArrayList<>();
  private final List<Note> skipped = new ArrayList<>();

  void add(Sample sample) {
    rows.computeIfAbsent(sample.row(), row -> new Numbers()).add(sample.value());
  }

  /// Adds the allocation of a row, in bytes per operation.
  void addAllocated(Sample sample) {
    allocated.computeIfAbsent(sample.row(), row -> new Numbers()).add(sample.value());
  }

  void addJmh(Collection<RunResult> results) {
    jmh.addAll(results);
  }

  void fail(String workload, String why) {
    failures.add(new Note(workload, why));
  }

  void skip(String workload, String why) {
    skipped.add(new Note(workload, why));
  }

  Collection<Row> rows() {
    return rows.keySet();
  }

  Numbers numbers(Row row) {
    Numbers numbers = rows.get(row);
    if (numbers == null) {
      throw new IllegalArgumentException("nothing was measured of " + row);
    }
    return numbers;
  }

  OptionalDouble allocated(Row row) {
    Numbers numbers = allocated.get(row);
    return numbers == null ? OptionalDouble.empty() : OptionalDouble.of(numbers.median());
  }

  Collection<RunResult> jmh() {
    return jmh;
  }

  List<Note> failures() {
    return failures;
  }

  List<Note> skipped() {
    return skipped;
  }

  // Comparisons.

  /// {@return the best of the peers that a program could use instead}
  Optional<Row> bestPeer(Row row) {
    return rows.keySet().stream()
        .filter(other -> other.competesWith(row) && other.role() == Row.Role.PEER)
        .reduce((a, b) -> ratio(b, a) < 1 ? b : a);
  }

  /// {@return the limit of a row: its own limit, or else the general limit}
  Optional<Row> limit(Row row) {
    return firstLimit(row, row::hasLimitOfItsOwn).or(() -> firstLimit(row, row::hasGeneralLimit));
  }

  private Optional<Row> firstLimit(Row row, Predicate<Row> which) {
    return rows.keySet().stream()
        .filter(
            other -> other.role() == Row.Role.LIMIT && other.competesWith(row) && which.test(other))
        .findFirst();
  }

  /// {@return the ratio of the costs of two rows: below one if the first is better, whether more or
  /// less is better. Two rows that cost nothing are equal.}
  double ratio(Row row, Row other) {
    double mine = numbers(row).median();
    double theirs = numbers(other).median();
    if (mine == theirs) {
      return 1;
    }
    return row.moreIsBetter() ? theirs / mine : mine / theirs;
  }
}
