package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the mesh and the game, with real sockets and in real time: some seconds each.
final class NewProgramsTest {

  /// Somewhat less than the time that a person has.
  private static final Duration FRAME = Duration.ofMillis(30);

  @Test
  void peers_withBadAddressesAmongThem_allKnowAllInTheEnd() {
    Application.run(app -> {
      var story = new ArrayList<String>();
      new Peers(app, new Random(1)).shape(6, story::add);
      String last = story.get(story.size() - 2);
      assertTrue(last.contains("30 of 30 links,  0 peers"), story::toString);
      assertTrue(
          story.getLast().matches("\\d+ pings; [1-9].* no answer .*, [1-9].*"), story::getLast);
    });
  }

  /// Then every peer is late once, and takes the others for bad.
  @Test
  void peers_machineIsBusyForAWhile_allKnowAllInTheEnd() {
    Application.run(app -> {
      app.spawn(() -> {
        for (int i = 0; i < 8; i++) {
          app.sleep(Duration.ofMillis(1)); // pings have just begun
          long begin = System.nanoTime();
          while (System.nanoTime() - begin < 320_000_000) {
            Thread.onSpinWait();
          }
        }
      });
      var story = new ArrayList<String>();
      new Peers(app, new Random(1)).shape(6, story::add);
      String last = story.get(story.size() - 2);
      assertTrue(last.contains("30 of 30 links,  0 peers"), story::toString);
    });
  }

  @Test
  void lightCycles_aGame_endsWithOneAtMostAndWallsEverywhere() {
    Application.run(app -> {
      var frames = new ArrayList<String>();
      String last = new LightCycles(app, new Random(7), FRAME).play(frames::add);
      assertTrue(frames.size() > 20, () -> frames.size() + " frames");
      assertEquals(16, last.lines().count());
      for (String name : List.of("A", "B", "C", "D")) {
        assertTrue(last.contains(name) && last.contains(name.toLowerCase(Locale.ROOT)), last);
      }
      app.stop();
    });
  }
}
