package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Probes several local sites that behave differently. All probes wait for each other at a barrier
/// and then send their requests at the same time. So the time limit for silent sites passes only
/// once, not once for each site.
final class SiteProbe {

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int LONGEST_LINE_BYTES = 200;

  private final Application app;

  private SiteProbe(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> {
      for (String line : probeAll(app)) {
        IO.println(line);
      }
      app.stop(); // otherwise the silent site would run for ever
    });
  }

  /// Starts the sites and probes them.
  ///
  /// @return the results, a line for each site
  static List<String> probeAll(Application app) throws Exception {
    var probe = new SiteProbe(app);
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("quick", probe.site(Duration.ZERO));
    ports.put("slow", probe.site(Duration.ofMillis(300)));
    ports.put("silent", probe.site(Duration.ofDays(1)));
    ports.put("closed", probe.closedPort());
    return probe.probe(ports);
  }

  private List<String> probe(Map<String, Integer> ports) throws Exception {
    var together = new Barrier(app.scheduler(), "start", ports.size());
    var group = app.<String>newGroup("probes");
    group.run(() -> {
      for (var site : ports.entrySet()) {
        group.spawn(
            "probe " + site.getKey(),
            () -> {
              together.await();
              return "%-7s %s".formatted(site.getKey(), probe(site.getValue()));
            });
      }
    }); // returns when all probes have ended
    return group.results();
  }

  private String probe(int port) throws Exception {
    Duration begun = app.runningTime();
    try {
      String answer =
          app.within(
              PATIENCE,
              () -> {
                try (TcpSocket socket = app.connect("127.0.0.1", port)) {
                  socket.write("hello\n");
                  return socket.readLine(LONGEST_LINE_BYTES);
                }
              });
      long millis = app.runningTime().minus(begun).toMillis();
      return "says '%s' after %d ms".formatted(answer, millis);
    } catch (TimedOutException e) {
      return "no answer within " + PATIENCE.toMillis() + " ms";
    } catch (IOException e) {
      return "cannot be reached";
    }
  }

  /// Starts a site that answers after a while, and returns its port.
  private int site(Duration pause) throws IOException {
    TcpListener listener = app.listen(0);
    app.spawn(
        "site",
        () -> {
          try (listener;
              TcpSocket socket = listener.accept()) {
            String line = socket.readLine(LONGEST_LINE_BYTES);
            app.sleep(pause);
            socket.write("you said " + line + "\n");
          }
        });
    return listener.port();
  }

  /// {@return a port that refuses connections}
  private int closedPort() throws IOException {
    try (TcpListener listener = app.listen(0)) {
      return listener.port();
    }
  }
}
