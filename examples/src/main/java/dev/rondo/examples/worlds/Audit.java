package dev.rondo.examples.worlds;

import dev.rondo.simulation.History;
import dev.rondo.simulation.Invocation;
import dev.rondo.simulation.Verdict;
import dev.rondo.simulation.model.Fifo;
import dev.rondo.simulation.model.KeyValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks answers of a queue and of a map: their histories are written by hand, and compared with a
/// model.
final class Audit {

  private static final int MOST_CONFIGURATIONS = 10_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Audit() {}

  static void main() {
    run(IO::println);
  }

  static void run(Consumer<String> out) {
    queue(out);
    map(out);
  }

  /// A queue that two clients use in order.
  private static void queue(Consumer<String> out) {
    Duration[] elapsed = {Duration.ZERO};
    var queue = new ArrayDeque<String>();
    History<Fifo<String>, @Nullable Object> history = History.timedBy(() -> elapsed[0]);
    for (String each : new String[] {"first", "second"}) {
      history.record("ann", new Fifo.Add<>(each), () -> queue.addLast(each));
      elapsed[0] = elapsed[0].plus(SECOND);
    }
    Object taken = history.record("bob", new Fifo.Poll<>(), queue::poll);
    out.accept("bob took the " + taken);
    history.requireLinearizable(Fifo.model());
    out.accept(history.toString());
  }

  /// A map that forgets: ann reads her value, and bob later does not.
  private static void map(Consumer<String> out) {
    History<KeyValue<String, Integer>, @Nullable Object> history =
        History.timedBy(() -> Duration.ZERO);
    Invocation<KeyValue<String, Integer>, @Nullable Object> put =
        history.invoke("ann", new KeyValue.Put<>("a", 1));
    Invocation<KeyValue<String, Integer>, @Nullable Object> get =
        history.invoke("bob", new KeyValue.Get<>("a"));
    get.returned(null);
    put.returned(null);
    history.invoke("bob", new KeyValue.Put<>("a", 2)).failed();
    out.accept("a get beside the put: " + verdict(history));
    history.invoke(put.process(), put.input()).unknown("no answer");
    history.invoke(get.process(), new KeyValue.Get<>("a")).returned(null);
    out.accept("a get after it: " + verdict(history));
  }

  private static String verdict(History<KeyValue<String, Integer>, @Nullable Object> history) {
    return switch (history.check(KeyValue.model(), MOST_CONFIGURATIONS)) {
      case Verdict.Linearizable() -> "right";
      case Verdict.NotLinearizable(String report) ->
          "wrong with %s: %s".formatted(keys(history), report.lines().findFirst().orElseThrow());
      case Verdict.Undecided(String report) -> report;
    };
  }

  private static String keys(History<KeyValue<String, Integer>, @Nullable Object> history) {
    return history.invocations().getLast().input().key();
  }
}
