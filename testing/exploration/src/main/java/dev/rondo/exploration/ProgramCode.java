package dev.rondo.exploration;

import java.util.List;

/// Which frames of a stack are those of the program that is run, and not of a library.
///
/// @param test the name of the class of the test, whose frames are the program's in any case; empty
///   if there is none
record ProgramCode(String test) {

  /// That of runs without a test.
  static final ProgramCode WITHOUT_TEST = new ProgramCode("");

  /// Whose frames are not the program's.
  private static final List<String> LIBRARIES =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "dev.rondo.scheduler.",
          "dev.rondo.observe.",
          "dev.rondo.bound.",
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

  /// {@return the code of a test}
  ///
  /// @param name of its class, of one nested in it, or of a lambda in it
  static ProgramCode of(String name) {
    int nested = name.indexOf('$'); // the name of a lambda has one, too
    return new ProgramCode(nested < 0 ? name : name.substring(0, nested));
  }

  boolean has(StackTraceElement frame) {
    String name = frame.getClassName();
    boolean ofTest = name.equals(test) || (!test.isEmpty() && name.startsWith(test + "$"));
    return ofTest || LIBRARIES.stream().noneMatch(name::startsWith);
  }
}
