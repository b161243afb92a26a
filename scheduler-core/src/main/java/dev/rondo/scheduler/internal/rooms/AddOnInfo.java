package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import dev.rondo.scheduler.internal.ReportText;
import java.util.List;

/// The report of a [dev.rondo.scheduler.addon.AddOn] about itself, at one moment. Immutable.
///
/// @param name of the add-on
/// @param figures for metrics, in the order they were added
/// @param lines for people
public record AddOnInfo(String name, List<Figure> figures, List<String> lines) {

  /// Checks and copies the components.
  public AddOnInfo {
    requireNonNull(name, "name is null");
    figures = List.copyOf(figures);
    lines = List.copyOf(lines);
  }

  /// A number.
  ///
  /// @param name words separated by dots
  /// @param value the number at that moment
  /// @param isCounter whether it only goes up
  public record Figure(String name, long value, boolean isCounter) {

    /// Checks the name.
    public Figure {
      requireNonNull(name, "name is null");
    }

    @Override
    public String toString() {
      return name + "=" + value;
    }
  }

  /// {@return the figures in one line, and the lines below it, indented; escaped, without a line
  /// break at the end}
  @Override
  public String toString() {
    String head = figures.isEmpty() ? name + ":" : name + ": " + Joiner.on(", ").join(figures);
    var text = new StringBuilder(ReportText.escaped(head));
    lines.forEach(line -> text.append("\n    ").append(ReportText.escaped(line)));
    return text.toString();
  }
}
