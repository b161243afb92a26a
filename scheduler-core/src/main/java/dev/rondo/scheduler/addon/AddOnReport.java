package dev.rondo.scheduler.addon;

import java.util.function.Supplier;

/// The report of an [AddOn] about itself, made in [AddOn#describe(AddOnReport)]: figures for
/// metrics, and lines for people.
///
/// Confined to the scheduler's thread, and to the call that receives it.
public interface AddOnReport {

  /// Adds a figure that goes up and down, such as the length of a queue.
  ///
  /// @param figure the name: words in lower case, separated by dots, of which the first names the
  ///   add-on, as in `cluster.members`
  /// @param value the number now
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  AddOnReport gauge(String figure, long value);

  /// Adds a figure that only goes up, such as a number of messages.
  ///
  /// @param figure the name, as for a gauge
  /// @param value the number since the add-on was installed
  /// @return this report
  /// @throws IllegalArgumentException if the name is blank, or the report has it already
  AddOnReport counter(String figure, long value);

  /// Adds a line for people. Lines after the hundredth are counted but not made.
  ///
  /// @param text makes the line, at once if at all; control characters are escaped when it is shown
  /// @return this report
  AddOnReport line(Supplier<String> text);
}
