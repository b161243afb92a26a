package dev.rondo.benchmarks.run;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One measured number: one iteration of a fork, or one round of a load program. Load programs
/// print theirs, one to a line.
///
/// @param row of the measurement
/// @param value the number
public record Sample(Row row, double value) {

  /// Printed, before the reason, by a program that cannot measure here.
  static final String SKIP = "@skip|";

  private static final String MARK = "@sample";
  private static final char SEPARATOR = '|';
  private static final int FIELDS = 6;

  /// Prints a number for the program that has started this one.
  ///
  /// @param workload the job
  /// @param params its size; empty if there is only one
  /// @param who the competitor
  /// @param measure the meaning of the number, and its unit
  /// @param value the number
  public static void print(
      String workload, String params, String who, String measure, double value) {
    System.out.println(new Sample(new Row(workload, params, who, measure), value).line());
  }

  /// Reports to the program that has started this one that it cannot measure here.
  ///
  /// @param why the reason
  public static void skip(String why) {
    System.out.println(SKIP + why);
  }

  String line() {
    return String.join(
        Character.toString(SEPARATOR),
        MARK,
        row.workload(),
        row.params(),
        row.who(),
        row.measure(),
        String.format(Locale.ROOT, "%.6g", value));
  }

  /// {@return the sample in a line of a load program; empty if the line is for people}
  static Optional<Sample> parse(String line) {
    List<String> fields = Splitter.on(SEPARATOR).splitToList(line);
    if (!fields.get(0).equals(MARK)) {
      return Optional.empty();
    }
    if (fields.size() != FIELDS) {
      throw new IllegalArgumentException(
          "a sample has " + FIELDS + " fields, but found " + fields.size() + ": " + line);
    }
    return Optional.of(
        new Sample(
            new Row(fields.get(1), fields.get(2), fields.get(3), fields.get(4)),
            Double.parseDouble(fields.get(5))));
  }
}
