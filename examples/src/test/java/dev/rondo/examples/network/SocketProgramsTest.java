package dev.rondo.examples.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.examples.Story;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of sockets, with real sockets.
final class SocketProgramsTest {

  @TempDir Path folder;

  @Test
  void discovery_twoPrinters_bothAnswerAndTellTheirStatus() throws Exception {
    var network = Discovery.multicastNetwork();
    if (network.isPresent()) {
      assertEquals(
          List.of("ink: ready", "laser: ready"),
          Story.of(app -> new Discovery(app, network.get()).run(List.of("laser", "ink"))));
    }
  }

  @Test
  void controlSocket_allEndings_areTold() {
    assertEquals(
        List.of(
            "control: running",
            "group: running",
            "pipes: running",
            "a record of 5 bytes",
            "too slow: some written, the rest left: true",
            "no more",
            "the daemon reads no more"),
        Story.of(app -> ControlSocket.run(app, folder)));
  }

  @Test
  void dialer_allWays_lead() {
    List<String> story = Story.of(Dialer::dial);
    assertEquals("localhost is 127.0.0.1", story.getFirst());
    assertTrue(story.get(2).matches("mirror (one|two) was first"), story::toString);
    assertEquals("from 127.0.0.1, kept alive: true", story.get(3));
  }

  @Test
  void secureEcho_bothSides_knowEachOther() {
    assertEquals(
        List.of(
            "server: CN=client",
            "client: hello by echo/1, TLSv1.3",
            "client: does not trust the server"),
        Story.of(app -> SecureEcho.converse(app, folder)));
  }
}
