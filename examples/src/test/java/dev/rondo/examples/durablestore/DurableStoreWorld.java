package dev.rondo.examples.durablestore;

import dev.rondo.application.Application;
import dev.rondo.exploration.Choices;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.History;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.model.KeyValue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The store in a world: a host whose power fails and whose program is killed, and two clients that
/// record what they ask and what they receive.
final class DurableStoreWorld {

  private static final int PORT = 7;
  private static final int CLIENTS = 2;
  private static final int KEYS = 4;
  private static final int LONGEST_PAUSE_MILLIS = 3_000;
  private static final int LONGEST_VALUE = 200;
  private static final int LONGEST_LINE_BYTES = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration TIME = Duration.ofMinutes(5);

  private final StoreFlaw flaw;
  private final WorldHost server;
  private final History<KeyValue<String, String>, @Nullable Object> history;

  private DurableStoreWorld(World world, StoreFlaw flaw) {
    this.flaw = flaw;
    history = History.of(world);
    server = world.host("store", this::serve);
    var _ = world.hosts("client", CLIENTS, this::work);
  }

  /// Runs one world.
  ///
  /// @param chaos what happens to the host of the store
  /// @return how many operations the clients have recorded
  /// @throws AssertionError if no order explains what the clients have received
  /// @throws SimulationFailedError if the server fails
  static int run(Choices choices, StoreFlaw flaw, Chaos chaos) {
    try (World world = World.with(choices)) {
      var run = new DurableStoreWorld(world, flaw);
      var _ = world.chaos(chaos.on(List.of(run.server)).atMostDown(1));
      world.runFor(TIME);
      run.history.requireLinearizable(KeyValue.model());
      return run.history.invocations().size();
    }
  }

  private void serve(WorldHost host) throws IOException {
    Path folder = host.disk().path("/data");
    try (DurableStore store = flaw.store(folder);
        TcpListener listener =
            host.application().io().listen(new InetSocketAddress(host.address(), PORT))) {
      store.recover();
      new StoreServer(store).run(host.scheduler(), listener);
    }
  }

  // Clients.

  private void work(WorldHost host) {
    for (int i = 0; ; i++) {
      host.application()
          .sleep(Duration.ofMillis(LONGEST_PAUSE_MILLIS - random(host, LONGEST_PAUSE_MILLIS)));
      String key = "k" + random(host, KEYS);
      String value = host.name() + "/" + i + "x".repeat(random(host, LONGEST_VALUE));
      boolean puts = random(host, 3) > 0;
      try {
        if (puts) {
          history.record(host.name(), new KeyValue.Put<>(key, value), () -> put(host, key, value));
        } else {
          history.record(host.name(), new KeyValue.Get<>(key), () -> get(host, key));
        }
      } catch (IOException | TimedOutException _) {
        // whether it was done is unknown
      }
    }
  }

  private static int random(WorldHost host, int bound) {
    return host.random().nextInt(bound);
  }

  private void put(WorldHost host, String key, String value) throws IOException {
    String answer = ask(host, "put " + key + " " + value);
    if (!answer.equals("stored")) {
      throw new IOException(answer);
    }
  }

  private @Nullable String get(WorldHost host, String key) throws IOException {
    String answer = ask(host, "get " + key);
    if (answer.startsWith("value ")) {
      return answer.substring("value ".length());
    }
    if (answer.equals("nothing")) {
      return null;
    }
    throw new IOException(answer);
  }

  private String ask(WorldHost host, String line) throws IOException {
    Application app = host.application();
    return app.within(
        PATIENCE,
        () -> {
          try (TcpSocket socket = app.io().connect(new InetSocketAddress(server.address(), PORT))) {
            socket.write(line + "\n");
            String answer = socket.readLine(LONGEST_LINE_BYTES);
            if (answer == null) {
              throw new IOException("the store has died");
            }
            return answer;
          }
        });
  }
}
