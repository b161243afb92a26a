package dev.rondo.scheduler.engine.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;

class AlertsTest {

  private static final Pattern LOGS = Pattern.compile("logger\\(\\)\\s*\\.(warn|error)\\(");

  @Test
  void log_withoutALoggingLibrary_isOnTheErrorStream() {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      var failure = new IllegalStateException("disk on fire");
      Alerts.log(NOPLogger.NOP_LOGGER, Level.ERROR, "it hangs", failure);
    } finally {
      System.setErr(before);
    }
    String said = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(said.startsWith("Rondo: it hangs"), said);
    assertTrue(said.contains("IllegalStateException: disk on fire"), said);
    assertTrue(said.contains("at dev.rondo"), said);
  }

  /// What is logged at WARN and ERROR must be seen without a logging library too.
  @Test
  void sources_warningsAndErrors_goThroughAlerts() throws IOException {
    try (var sources = Files.walk(Path.of("src", "main", "java"))) {
      List<String> others =
          sources
              .filter(each -> each.toString().endsWith(".java"))
              .filter(each -> !each.endsWith("Alerts.java"))
              .filter(AlertsTest::logs)
              .map(Path::toString)
              .toList();
      assertEquals(List.of(), others);
    }
  }

  private static boolean logs(Path source) {
    try {
      String code = Files.readString(source);
      return LOGS.matcher(code).find();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
