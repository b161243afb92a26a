package dev.rondo.scheduler.addon;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The report that an [AddOn] makes of itself in [AddOn#describe(AddOnReport)]: figures for
/// metrics, and lines for people.
///
/// Confined to the scheduler's thread, and to the call that it is passed to.
public final class AddOnReport {

  /// The most lines of one add-on. Tasks have no turns while the lines are made.
  private static final int MOST_LINES = 100;

  private final String name;
  private final Map<String, AddOnInfo.Figure> figures = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private int linesLeftOut;

  private AddOnReport(String name) {
    this.name = name;
  }

  /// Asks an add-on.
  ///
  /// @param name of the add-on, for people
  /// @param addOn what to describe
  /// @return its report
  public static AddOnInfo of(String name, AddOn addOn) {
    requireNonNull(name, "name is null");
    requireNonNull(addOn, "addOn is null");
    var report = new AddOnReport(name);
    addOn.describe(report);
    return report.info();
  }

  /// Adds a figure that goes up and down, as the length of a queue.
  ///
  /// @param figure the name, in lower case, words separated by dots, the first of them the
  ///   add-on's: `cluster.members`
  /// @param value the number now
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  public AddOnReport gauge(String figure, long value) {
    return add(figure, value, false);
  }

  /// Adds a figure that only goes up, as a number of messages.
  ///
  /// @param figure the name, as that of a gauge
  /// @param value the number since the add-on was installed
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  public AddOnReport counter(String figure, long value) {
    return add(figure, value, true);
  }

  private AddOnReport add(String figure, long value, boolean isCounter) {
    if (requireNonNull(figure, "figure is null").isBlank()) {
      throw new IllegalArgumentException("the name of a figure is blank");
    }
    var added = new AddOnInfo.Figure(figure, value, isCounter);
    if (figures.putIfAbsent(figure, added) != null) {
      throw new IllegalArgumentException("the report has the figure '" + figure + "' already");
    }
    return this;
  }

  /// Adds a line for people. The lines after the hundredth are counted and not made.
  ///
  /// @param text makes the line, at once if at all; control characters are escaped when it is shown
  /// @return this report
  public AddOnReport line(Supplier<String> text) {
    requireNonNull(text, "text is null");
    if (lines.size() < MOST_LINES) {
      lines.add(requireNonNull(text.get(), "the line is null"));
    } else {
      linesLeftOut++;
    }
    return this;
  }

  private AddOnInfo info() {
    if (linesLeftOut > 0) {
      lines.add("and " + linesLeftOut + " more");
    }
    return new AddOnInfo(name, List.copyOf(figures.values()), lines);
  }
}
