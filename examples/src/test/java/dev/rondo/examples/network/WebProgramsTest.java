package dev.rondo.examples.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.examples.Story;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of HTTP and gRPC, with real sockets.
final class WebProgramsTest {

  @TempDir Path folder;

  @Test
  void storefront_aVisit_getsAllAnswers() {
    assertEquals(
        List.of(
            "HTTP/2: [apple, pear], order name, secure false, seen=2",
            "plum",
            "streamed 201 Created",
            "deleted 204 No Content",
            "/articles: [pear], order none, secure false",
            "8 bytes of a picture",
            "next plum",
            "1 connection, 1 connection of the server"),
        Story.of(app -> Storefront.trade(app, folder.resolve("picture.txt"))));
  }

  @Test
  void newsroom_readers_receiveAll() {
    List<String> story = Story.of(Newsroom::report);
    assertEquals(
        List.of("data: rain", "id: 2", "event: weather", "data: sun"), story.subList(0, 4));
    assertTrue(
        story.containsAll(
            List.of(
                "protocol news.v1",
                "3 bytes",
                "1 bytes",
                "last words",
                "taken at once: true",
                "the reader left: 4000 enough",
                "refused: 200")),
        story::toString);
  }

  @Test
  void vault_certificates_areShownByBothSides() {
    assertEquals(
        List.of(
            "GET by HTTP/1.1, secure: true, certificates: 0",
            "GET by HTTP/1.1, secure: true, certificates: 1",
            "without a certificate: refused"),
        Story.of(app -> Vault.open(app, folder)));
  }

  @Test
  void weather_fourKindsOfCalls_areAnswered() {
    assertEquals(
        List.of(
            "oslo: sunny",
            "oslo: sonnig",
            "nowhere: DEADLINE_EXCEEDED",
            "oslo today: sun",
            "oslo tomorrow: rain",
            "2 reports",
            "snow? perhaps",
            "drained: true"),
        Story.of(Weather::observe));
  }
}
