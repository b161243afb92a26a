package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.io.Reactors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The system's texts for a broken connection.
class SystemErrorsTest {

  /// Only a test that fails waits that long.
  private static final int LIMIT_SECONDS = 200;

  @Test
  void ofResets_onAnEnglishLinux_areAsKnown() {
    String language = String.valueOf(System.getenv("LC_ALL")) + System.getenv("LANG");
    assumeTrue(System.getProperty("os.name").equals("Linux") && !language.matches(".*[a-z]{2}_.*"));
    assertEquals(Set.of("Broken pipe", "Connection reset by peer"), SystemErrors.ofResets());
  }

  @Test
  void failure_withALearnedText_isAReset() {
    for (String text : SystemErrors.ofResets()) {
      assertInstanceOf(
          ConnectionResetException.class, Reactors.FAILURES.of("write", new IOException(text)));
    }
    assertEquals(
        IOException.class,
        Reactors.FAILURES.of("write", new IOException("Input/output error")).getClass());
  }

  /// As if no descriptor were left, which does not mean a broken connection.
  @Test
  void learned_failureCannotBeProvoked_nothingIsAndNothingIsThrown() {
    SystemErrors.Provocation exhausted =
        () -> {
          throw new IOException("Too many open files");
        };
    assertEquals(Set.of(), SystemErrors.learned(exhausted, exhausted));
    assertEquals(Set.of(), SystemErrors.learned(Optional::empty));
  }

  /// Runs in another JVM.
  static final class OnOneCarrier {

    private OnOneCarrier() {}

    static void main() throws InterruptedException {
      Thread.ofVirtual()
          .start(() -> {
            var reset = Reactors.FAILURES.of("write", new IOException("no text of a reset"));
            System.out.println(reset.getMessage());
          })
          .join();
    }
  }

  /// It once hung on a machine with one processor.
  @Test
  void learned_onTheOnlyCarrier_doesNotWait() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                System.getProperty("java.class.path"),
                OnOneCarrier.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertTrue(child.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "hangs");
      assertEquals(
          "write: no text of a reset",
          new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    } finally {
      child.destroyForcibly();
    }
  }
}
