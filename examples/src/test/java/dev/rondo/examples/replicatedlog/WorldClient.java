package dev.rondo.examples.replicatedlog;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.History;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.model.KeyValue;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Reads and changes some keys, and records what it asks and receives. Some clients read more, and
/// stay with a leader that can do nothing else; others change more, and look for another. What is
/// drawn as zero is simple: a long pause, and nothing to ask for.
final class WorldClient {

  private static final List<String> KEYS = List.of("a", "b");

  /// In percent.
  private static final List<Integer> SHARES_OF_READS = List.of(20, 50, 95);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(170);
  private static final Duration PAUSES = Duration.ofMillis(150);
  private static final Duration PATIENCE = Duration.ofMillis(120);
  private static final Duration READ_LIMIT = Duration.ofMillis(300);
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  private final WorldHost host;
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final Client client;
  private final History<KeyValue<String, String>, @Nullable Object> history;
  private final int shareOfReads;
  private int values;

  private WorldClient(
      WorldHost host, Client client, History<KeyValue<String, String>, @Nullable Object> history) {
    this.host = host;
    this.scheduler = host.scheduler();
    this.random = host.random();
    this.client = client;
    this.history = history;
    this.shareOfReads = SHARES_OF_READS.get(random.nextInt(SHARES_OF_READS.size()));
  }

  /// Is busy until it shall end, and then reads each key, however long that takes.
  static void run(
      WorldHost host,
      Members members,
      History<KeyValue<String, String>, @Nullable Object> history,
      BooleanSupplier over)
      throws IOException {
    try (var client = new Client(host.scheduler(), members, PATIENCE, host.random())) {
      new WorldClient(host, client, history).run(over);
    }
  }

  private void run(BooleanSupplier over) throws IOException {
    var time = WaitForTime.on(scheduler);
    while (!over.getAsBoolean()) {
      time.sleep(LONGEST_PAUSE.minusNanos(random.nextLong(PAUSES.toNanos())));
      try {
        operate();
      } catch (TimedOutException _) {
        // the history has the outcome as unknown
      }
    }
    for (String key : KEYS) {
      history.record(host.name(), new KeyValue.Get<>(key), () -> client.get(key));
    }
  }

  /// One time of so many it does nothing.
  private static final int RESTS = 16;

  private void operate() throws IOException {
    if (random.nextInt(RESTS) == 0) {
      return;
    }
    String key = KEYS.get(random.nextInt(KEYS.size()));
    if (random.nextInt(100) < shareOfReads) {
      get(key);
    } else if (random.nextBoolean()) {
      put(key, nextValue());
    } else {
      compareAndSet(key, get(key), nextValue());
    }
  }

  private String nextValue() {
    return host.name() + "'s " + ++values;
  }

  /// @throws TimedOutException if there is no answer in time, which is of no effect
  private @Nullable String get(String key) throws IOException {
    var invocation = history.invoke(host.name(), new KeyValue.Get<String, String>(key));
    try {
      String value = scheduler.within(READ_LIMIT, () -> client.get(key));
      invocation.returned(value);
      return value;
    } catch (TimedOutException e) {
      invocation.failed();
      throw e;
    }
  }

  private void put(String key, String value) throws IOException {
    history.record(
        host.name(),
        new KeyValue.Put<>(key, value),
        () -> scheduler.within(CHANGE_LIMIT, () -> client.put(key, value)));
  }

  private void compareAndSet(String key, @Nullable String expected, String value)
      throws IOException {
    var _ =
        history.record(
            host.name(),
            new KeyValue.CompareAndSet<>(key, expected, value),
            () -> scheduler.within(CHANGE_LIMIT, () -> client.compareAndSet(key, expected, value)));
  }
}
