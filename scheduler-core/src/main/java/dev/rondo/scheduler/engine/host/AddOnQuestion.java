package dev.rondo.scheduler.engine.host;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Asks an add-on to describe itself.
final class AddOnQuestion implements AddOnReport {

  /// The maximum number of lines of one add-on. Tasks have no turns while the lines are made.
  private static final int MOST_LINES = 100;

  private final Map<String, AddOnInfo.Figure> figures = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private int linesLeftOut;

  private AddOnQuestion() {}

  /// {@return the report of an add-on}
  static AddOnInfo ask(String name, AddOn addOn) {
    var asked = new AddOnQuestion();
    addOn.describe(asked);
    if (asked.linesLeftOut > 0) {
      asked.lines.add("and " + asked.linesLeftOut + " more");
    }
    return new AddOnInfo(name, List.copyOf(asked.figures.values()), asked.lines);
  }

  @Override
  public AddOnReport gauge(String figure, long value) {
    return add(figure, value, false);
  }

  @Override
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

  @Override
  public AddOnReport line(Supplier<String> text) {
    requireNonNull(text, "text is null");
    if (lines.size() < MOST_LINES) {
      lines.add(requireNonNull(text.get(), "the line is null"));
    } else {
      linesLeftOut++;
    }
    return this;
  }
}
