package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program in another JVM, without the flags of this one.
final class ChildJvm {

  /// Longer than any program takes on a busy machine. Only a test that fails waits that long.
  private static final int LIMIT_SECONDS = 200;

  private ChildJvm() {}

  /// {@return all that the program prints} It must exit with 0.
  ///
  /// @param flags of the JVM
  /// @param classPath of the program
  static String said(List<String> flags, String classPath, Class<?> program, String... args)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(List.of(args));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    // a program that hangs is killed, which ends its output: nothing else ends the read
    var _ =
        child
            .onExit()
            .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
            .whenComplete((ended, late) -> child.destroyForcibly());
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), said);
    return said;
  }
}
