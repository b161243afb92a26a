package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The system's words for a broken connection.
class SystemTextsTest {

  @Test
  void ofResets_onAnEnglishLinux_areAsKnown() {
    String language = String.valueOf(System.getenv("LC_ALL")) + System.getenv("LANG");
    assumeTrue(System.getProperty("os.name").equals("Linux") && !language.matches(".*[a-z]{2}_.*"));
    assertEquals(Set.of("Broken pipe", "Connection reset by peer"), SystemTexts.OF_RESETS);
  }

  @Test
  void failure_withALearnedText_isAReset() {
    for (String text : SystemTexts.OF_RESETS) {
      assertInstanceOf(ConnectionResetException.class, Failures.of("write", new IOException(text)));
    }
    assertEquals(
        IOException.class, Failures.of("write", new IOException("Input/output error")).getClass());
  }
}
