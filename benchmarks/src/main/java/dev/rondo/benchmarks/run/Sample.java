package dev.rondo.benchmarks.run;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One number that was measured: one iteration of a fork, or one round of a load program. Load
/// programs print theirs, one to a line.
///
/// @param row what was measured, and of whom
/// @param value of it
public record Sample(Row row, double value) {

  /// What a program prints that cannot measure here; why follows.
  static final String SKIP = "@skip|";

  private static final String MARK = "@sample";
  private static final char SEPARATOR = '|';
  private static final int FIELDS = 6;

  /// Prints a number for whoever runs this program.
  ///
  /// @param workload what was to be done
  /// @param params of what size; empty if there is but one
  /// @param who did it
  /// @param measure what the number says, and its unit
  /// @param value the number
  public static void print(
      String workload, String params, String who, String measure, double value) {
    System.out.println(new Sample(new Row(workload, params, who, measure), value).line());
  }

  /// Tells whoever runs this program that it cannot measure here.
  ///
  /// @param why what is missing
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

  /// {@return what a line of a load program says; nothing if it is meant for people}
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
