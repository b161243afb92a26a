package dev.rondo.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is the same of a failure in runs that differ: of it and each of its causes the type, the
/// first line of the message without numbers, and the place in the program's code.
///
/// @param parts one for each cause, the failure first
record FailureShape(List<String> parts) {

  private static final Pattern NUMBER = Pattern.compile("(?<![A-Za-z_])(0x[0-9a-f]+|-?\\d[\\d.]*)");

  /// Such as `2 min 30 s`, when numbers are replaced.
  private static final Pattern DURATION =
      Pattern.compile("# (d|h|min|s|ms|us|ns)\\b( # (d|h|min|s|ms|us|ns)\\b)*");

  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

  private static final int MOST_CAUSES = 10;

  /// @param code of the program
  static FailureShape of(Throwable failure, ProgramCode code) {
    var parts = new ArrayList<String>();
    Throwable each = failure;
    while (each != null && parts.size() < MOST_CAUSES) {
      parts.add(each.getClass().getName() + ": " + message(each.getMessage()) + place(each, code));
      each = each.getCause();
    }
    return new FailureShape(List.copyOf(parts));
  }

  private static String message(@Nullable String message) {
    if (message == null || message.isBlank()) {
      return "";
    }
    String first = message.lines().findFirst().orElse("");
    String noNumbers = NUMBER.matcher(IDENTITY.matcher(first).replaceAll("@#")).replaceAll("#");
    return DURATION.matcher(noNumbers).replaceAll("# s");
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
