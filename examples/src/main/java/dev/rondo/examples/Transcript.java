package dev.rondo.examples;

import dev.rondo.application.Application;
import java.util.Locale;

/// Prints events, each with the time and the word of Rondo that caused it.
final class Transcript {

  private final Application app;

  Transcript(Application app) {
    this.app = app;
  }

  /// Prints a line.
  ///
  /// @param word the cause, for instance `periodic`
  /// @param text a format, for [String#formatted]
  @SuppressWarnings("AnnotateFormatMethod") // not worth a dependency
  void say(String word, String text, Object... args) {
    double seconds = app.runningTime().toNanos() / 1e9;
    System.out.printf(Locale.ROOT, "%6.2f s  %-9s %s%n", seconds, word, text.formatted(args));
  }
}
