package dev.rondo.scheduler.addon;

import java.util.function.Supplier;

/// The report that an [AddOn] makes of itself in [AddOn#describe(AddOnReport)]: figures for
/// metrics, and lines for people.
///
/// Confined to the scheduler's thread, and to the call that it is passed to.
public interface AddOnReport {

  /// Adds a figure that goes up and down, as the length of a queue.
  ///
  /// @param figure the name, in lower case, words separated by dots, the first of them the
  ///   add-on's: `cluster.members`
  /// @param value the number now
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  AddOnReport gauge(String figure, long value);

  /// Adds a figure that only goes up, as a number of messages.
  ///
  /// @param figure the name, as that of a gauge
  /// @param value the number since the add-on was installed
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  AddOnReport counter(String figure, long value);

  /// Adds a line for people. The lines after the hundredth are counted and not made.
  ///
  /// @param text makes the line, at once if at all; control characters are escaped when it is shown
  /// @return this report
  AddOnReport line(Supplier<String> text);
}
