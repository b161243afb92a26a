package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The mesh and the game, on every backend and with real sockets.
@EveryBackend
final class NewProgramsTest {

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean residentTask;

  private void run(Application.Main main) {
    var builder = Application.builder().backend(backend).clock(new VirtualClock());
    (residentTask ? builder.withResidentTask() : builder).run(main);
  }

  @Test
  void peers_withBadAddressesAmongThem_allKnowAllInTheEnd() {
    run(app -> {
      List<String> story = new Peers(app, new Random(1)).shape(6);
      String last = story.get(story.size() - 2);
      assertTrue(last.contains("30 of 30 links,  0 peers"), story::toString);
      assertTrue(
          story.getLast().matches("\\d+ pings; [1-9].* no answer .*, [1-9].*"), story::getLast);
    });
  }

  @Test
  void lightCycles_aGame_endsWithOneAtMostAndWallsEverywhere() {
    run(app -> {
      var frames = new ArrayList<String>();
      String last = new LightCycles(app, new Random(7)).play(frames::add);
      assertTrue(frames.size() > 20, () -> frames.size() + " frames");
      assertEquals(16, last.lines().count());
      for (String name : List.of("A", "B", "C", "D")) {
        assertTrue(last.contains(name) && last.contains(name.toLowerCase(Locale.ROOT)), last);
      }
      app.stop();
    });
  }
}
