package dev.rondo.scheduler.internal;

import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/// Formats durations and names for messages, dumps and tables. Any thread.
public final class ReportText {

  private ReportText() {}

  /// {@return a duration as a person writes it: `250 ns`, `3.1 ms`, `1.5 s`, `2 min 30 s`, `365 d`}
  /// A duration below a minute is one number with one unit, and has at most three decimals. A
  /// longer duration has whole units, from days to seconds.
  ///
  /// @param duration any; a negative duration begins with a minus sign
  public static String duration(Duration duration) {
    return Durations.readable(Objects.requireNonNull(duration, "duration is null"));
  }

  /// {@return a number of nanoseconds, as [#duration(Duration)]}
  ///
  /// @param nanos any
  public static String nanos(long nanos) {
    return duration(Duration.ofNanos(nanos));
  }

  /// {@return a text on one line, without characters that control a terminal} Control characters,
  /// separators of lines and of paragraphs, and characters that change the direction of the text
  /// are written as `\n`, `\t`, `\u001b` and so on. If the text has any of these characters, each
  /// backslash is written as two. Otherwise the text is returned as it is.
  ///
  /// @param text for instance the name of a task
  public static String escaped(String text) {
    Objects.requireNonNull(text, "text is null");
    if (text.codePoints().noneMatch(ReportText::isHarmful)) {
      return text;
    }
    var escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(each -> {
          switch (each) {
            case '\n' -> escaped.append("\\n");
            case '\r' -> escaped.append("\\r");
            case '\t' -> escaped.append("\\t");
            case '\\' -> escaped.append("\\\\");
            default -> {
              if (isHarmful(each)) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
              } else {
                escaped.appendCodePoint(each);
              }
            }
          }
        });
    return escaped.toString();
  }

  /// {@return whether a terminal or a reader may interpret a character as something other than
  /// itself}
  ///
  /// @param codePoint a character
  public static boolean isHarmful(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
