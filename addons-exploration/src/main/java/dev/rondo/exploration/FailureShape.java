package dev.rondo.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is the same of a failure in runs that differ: of it and each of its causes the type, the
/// first line of the message without numbers, and the place in the user's code.
///
/// @param parts one for each cause, the failure first
record FailureShape(List<String> parts) {

  private static final Pattern NUMBER = Pattern.compile("(?<![A-Za-z_])(0x[0-9a-f]+|-?\\d[\\d.]*)");

  /// Such as `2 min 30 s`, when numbers are replaced.
  private static final Pattern DURATION =
      Pattern.compile("# (d|h|min|s|ms|us|ns)\\b( # (d|h|min|s|ms|us|ns)\\b)*");

  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

  /// Whose frames are not the user's.
  private static final List<String> LIBRARIES =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "dev.rondo.scheduler.",
          "dev.rondo.time.",
          "dev.rondo.condition.",
          "dev.rondo.io.",
          "dev.rondo.application.",
          "dev.rondo.exploration.",
          "dev.rondo.simulation.",
          "org.junit.",
          "org.opentest4j.",
          "org.assertj.",
          "org.hamcrest.",
          "com.google.common.truth.");

  private static final int MOST_CAUSES = 10;

  /// @param test the name of the class of the test, whose frames are the user's in any case
  static FailureShape of(Throwable failure, String test) {
    var parts = new ArrayList<String>();
    Throwable each = failure;
    while (each != null && parts.size() < MOST_CAUSES) {
      parts.add(each.getClass().getName() + ": " + message(each.getMessage()) + place(each, test));
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

  private static String place(Throwable failure, String test) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      String name = frame.getClassName();
      if (name.equals(test)
          || name.startsWith(test + "$")
          || LIBRARIES.stream().noneMatch(name::startsWith)) {
        return " at " + name + "." + frame.getMethodName() + ":" + frame.getLineNumber();
      }
    }
    return "";
  }
}
