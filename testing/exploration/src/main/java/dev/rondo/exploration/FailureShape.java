package dev.rondo.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is the same of a failure in runs that differ: of it and each of its causes the type, the
/// words of the first line of the message, and the place in the program's code.
///
/// The place alone is not enough: all checks of a world fail where the world is run, and what they
/// say tells them apart. Values in the message are ignored: a number, a UUID, an address or the
/// elements of a list differ in runs that fail for one reason.
///
/// @param parts one for each cause, the failure first
record FailureShape(List<String> parts) {

  /// Replaces a value.
  private static final String VALUE = "#";

  /// A pair of brackets, as of a list, without another pair inside. It may be empty.
  private static final Pattern BRACKETS = Pattern.compile("\\[[^\\[\\]{}]*]|\\{[^\\[\\]{}]*}");

  /// So many pairs inside each other are removed. Values in deeper ones remain.
  private static final int MOST_NESTED = 10;

  private static final Pattern UUID =
      Pattern.compile("(?i)\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");

  /// With at least two colons. It may be a time as well.
  private static final Pattern IPV6 =
      Pattern.compile("(?i)(?<![\\w:])[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:]*(?![\\w:])");

  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+\\b");

  /// A number, an identifier in hexadecimal, or a name with a number.
  private static final Pattern WITH_DIGIT = Pattern.compile("(?<![\\p{L}_])[\\p{L}_]*+\\d\\w*");

  private static final Pattern SIGN = Pattern.compile("(?<![\\w#])[-+]#");

  /// Several values as one, such as an address with a port or `45, 46, 47`.
  private static final Pattern SEVERAL = Pattern.compile("#(?:(?:, |\\.\\.\\. |[-.:,;/%+])++#)++");

  /// Such as `2 min 30 s`, when numbers are replaced.
  private static final Pattern DURATION =
      Pattern.compile("# (?:d|h|min|s|ms|us|ns)\\b(?: # (?:d|h|min|s|ms|us|ns)\\b)*+");

  /// A name, such as that of a check, of which a world may have several: only its numbers are
  /// values.
  private static final Pattern QUOTED = Pattern.compile("(?<![\\p{L}\\d])'[^']*+'(?![\\p{L}\\d])");

  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\p{L}_])(?:0x[0-9a-f]+|-?\\d[\\d.]*)");

  private static final int MOST_CAUSES = 10;

  /// @param code of the program
  static FailureShape of(Throwable failure, ProgramCode code) {
    var parts = new ArrayList<String>();
    Throwable each = failure;
    while (each != null && parts.size() < MOST_CAUSES) {
      parts.add(each.getClass().getName() + ": " + message(each) + place(each, code));
      each = each.getCause();
    }
    return new FailureShape(List.copyOf(parts));
  }

  private static String message(Throwable failure) {
    @Nullable String message;
    try {
      message = failure.getMessage();
    } catch (Throwable e) { // the method is of the program
      return "";
    }
    if (message == null || message.isBlank()) {
      return "";
    }
    String text = message.lines().findFirst().orElse("");
    text = UUID.matcher(text).replaceAll(VALUE);
    text = IPV6.matcher(text).replaceAll(FailureShape::addressOrWords);
    text = IDENTITY.matcher(text).replaceAll("@" + VALUE);
    var shape = new StringBuilder();
    int end = 0;
    for (Matcher quoted = QUOTED.matcher(text); quoted.find(); end = quoted.end()) {
      shape.append(words(text.substring(end, quoted.start())));
      shape.append(NUMBER.matcher(quoted.group()).replaceAll(VALUE));
    }
    return shape.append(words(text.substring(end))).toString();
  }

  private static String words(String unquoted) {
    String text = withoutElements(unquoted);
    text = WITH_DIGIT.matcher(text).replaceAll(VALUE);
    text = SIGN.matcher(text).replaceAll(VALUE);
    text = SEVERAL.matcher(text).replaceAll(VALUE);
    return DURATION.matcher(text).replaceAll(VALUE + " s");
  }

  private static String addressOrWords(MatchResult found) {
    return found.group().chars().anyMatch(Character::isDigit) ? VALUE : found.group();
  }

  private static String withoutElements(String text) {
    String now = text;
    for (int i = 0; i < MOST_NESTED; i++) {
      String next = BRACKETS.matcher(now).replaceAll(VALUE);
      if (next.equals(now)) {
        return now;
      }
      now = next;
    }
    return now;
  }

  private static String place(Throwable failure, ProgramCode code) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (code.has(frame)) {
        return " at %s.%s:%d"
            .formatted(frame.getClassName(), frame.getMethodName(), frame.getLineNumber());
      }
    }
    return "";
  }
}
