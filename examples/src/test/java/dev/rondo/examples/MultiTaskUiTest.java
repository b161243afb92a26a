package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.VirtualDisplay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Runs the windows as a user does, on a virtual display.
final class MultiTaskUiTest {

  private static List<String> command(Class<?> program, String option) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");
    command.add("--enable-native-access=ALL-UNNAMED"); // FlatLaf's decorations
    command.add(option);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    return command;
  }

  @Test
  void demo_onADisplay_asksAndEndsByItself() throws Exception {
    try (var display = VirtualDisplay.open()) {
      assertEquals(
          "the question: no answer\nthe window is closed, all tasks have ended",
          display.run(command(MultiTaskUi.class, "-Ddemo=3")));
    }
  }

  @Test
  void program_withoutADisplay_saysSo() throws Exception {
    var process =
        new ProcessBuilder(command(MultiTaskUi.class, "-Djava.awt.headless=true"))
            .redirectErrorStream(true)
            .start();
    assertEquals("no display: try xvfb-run, or set DISPLAY", VirtualDisplay.outputOf(process));
  }

  @Test
  void smallWindow_aClick_countsWhileTheClockGoesOn() throws Exception {
    try (var display = VirtualDisplay.open()) {
      assertEquals(
          "the clock goes on while it is counting\n348513 primes\nclosed",
          display.run(command(SmallWindowUser.class, "-Djava.awt.headless=false")));
    }
  }
}
