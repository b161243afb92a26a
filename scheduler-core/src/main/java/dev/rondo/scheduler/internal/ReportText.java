package dev.rondo.scheduler.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/// Formats durations, names and objects for messages, dumps and tables. Any thread.
public final class ReportText {

  private static final int SECONDS_PER_MINUTE = 60;
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

  private ReportText() {}

  /// {@return a duration as a person writes it: `250 ns`, `3.1 ms`, `1.5 s`, `2 min 30 s`, `365 d`}
  /// A duration below a minute is one number with one unit, and has at most three decimals. A
  /// longer duration has whole units, from days to seconds.
  ///
  /// @param duration any; a negative duration begins with a minus sign
  public static String duration(Duration duration) {
    Objects.requireNonNull(duration, "duration is null");
    if (duration.isNegative()) {
      boolean isLongest = duration.toSeconds() == Long.MIN_VALUE; // that has no opposite
      return "-" + duration(isLongest ? LONGEST : duration.negated());
    }
    if (duration.toSeconds() >= SECONDS_PER_MINUTE) {
      return wholeUnits(duration);
    }
    double seconds = duration.toSeconds() + duration.toNanosPart() / 1e9;
    if (seconds >= 1 || seconds == 0) {
      return number(seconds) + " s";
    } else if (seconds >= 1e-3) {
      return number(seconds * 1e3) + " ms";
    } else if (seconds >= 1e-6) {
      return number(seconds * 1e6) + " us";
    }
    return number(seconds * 1e9) + " ns";
  }

  private static String wholeUnits(Duration duration) {
    var text = new StringBuilder();
    append(text, duration.toDaysPart(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "min");
    append(text, duration.toSecondsPart(), "s");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : " ").append(count).append(' ').append(unit);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", "");
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

  /// {@return the string form of an object of a program, such as a waitable} If its `toString()`
  /// throws, the text says so, because a report must not fail because of an object that it shows.
  ///
  /// @param thing any
  public static String describe(Object thing) {
    Objects.requireNonNull(thing, "thing is null");
    try {
      return String.valueOf(thing.toString());
    } catch (Throwable e) {
      return thing.getClass().getName() + threw("toString()", e);
    }
  }

  /// {@return the text that replaces a description that could not be made} It is without the
  /// message of the failure, because `getMessage()` may throw.
  ///
  /// @param call the call of the program's code that threw
  /// @param failure thrown
  public static String threw(String call, Throwable failure) {
    Objects.requireNonNull(call, "call is null");
    Objects.requireNonNull(failure, "failure is null");
    return " (its " + call + " threw " + failure.getClass().getName() + ")";
  }
}
