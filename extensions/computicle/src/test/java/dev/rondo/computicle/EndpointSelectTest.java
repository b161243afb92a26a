package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A task that waits at an endpoint, for a connection and for an instant at once.
final class EndpointSelectTest extends BackendTest {

  private static final Duration SHORT = Duration.ofMillis(1);

  private final Endpoint<String> endpoint = new Endpoint<>("asked", 0);
  private final List<String> got = new ArrayList<>();

  @Test
  void select_besideASocketAndATimer_takesWhatComes() {
    Application.builder().backend(backend).bare().run(this::main);
    assertEquals(List.of("message", "connection", "nothing"), got);
  }

  private void main(Application app) throws Exception {
    try (TcpListener listener = app.listen(0)) {
      Select select =
          Select.biased()
              .on(endpoint.receiving(), got::add)
              .on(
                  listener.accepting(),
                  socket -> {
                    socket.close();
                    got.add("connection");
                  });
      Thread sender = Thread.ofPlatform().start(() -> endpoint.send("message"));
      select.run();
      app.connect("127.0.0.1", listener.port()).close();
      select.run();
      select.after(SHORT, () -> got.add("nothing")).run();
      app.blocking(() -> {
        sender.join();
        return "";
      });
    }
  }
}
