package dev.rondo.benchmarks.bugs;

import static dev.rondo.benchmarks.bugs.BugRun.require;

import dev.rondo.condition.Cell;
import dev.rondo.condition.Signal;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.Mutex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Signals, cells, channels and barriers.
final class SignalBugs {

  private static final int ROUNDS = 2;

  private SignalBugs() {}

  static List<Bug> all() {
    return List.of(
        new Bug("missed signal", SignalBugs::missedSignal),
        new Bug("if instead of while", SignalBugs::ifInsteadOfWhile),
        new Bug("one is woken instead of all", SignalBugs::oneInsteadOfAll),
        new Bug("barrier used again", SignalBugs::barrierReuse),
        new Bug("cell read after the wait", SignalBugs::cellAfterWait),
        new Bug("two receives that belong together", SignalBugs::twoChannels),
        new Bug("replies matched by position", SignalBugs::repliesByPosition),
        new Bug("listener removed, event under way", SignalBugs::removedListener));
  }

  private static Signal<@Nullable Void> signal(BugRun run, String name) {
    return new Signal<>(run.scheduler(), name);
  }

  private static void missedSignal(BugRun run) {
    boolean[] ready = {false};
    var signal = signal(run, "ready");
    run.spawn(
        "wait",
        () -> {
          if (!ready[0]) {
            run.pause(); // logs that it waits
          }
          if (!(run.mended() && ready[0])) {
            var _ = run.scheduler().await(signal);
          }
        });
    run.spawn(
        "signal",
        () -> {
          run.pause(2);
          ready[0] = true;
          signal.signalAll(null);
        });
  }

  private static void ifInsteadOfWhile(BugRun run) {
    int[] items = {0};
    var added = signal(run, "added");
    for (int late : List.of(0, 4)) {
      run.spawn(
          "take",
          () -> {
            run.pause(late);
            if (items[0] == 0) {
              var _ = run.scheduler().await(added);
            }
            while (run.mended() && items[0] == 0) {
              var _ = run.scheduler().await(added);
            }
            items[0]--;
            require("items >= 0", items[0] >= 0);
          });
    }
    run.spawn(
        "add",
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            run.pause(2);
            items[0]++;
            added.signalAll(null);
          }
        });
  }

  /// Producers and consumers wait for the same signal.
  private static void oneInsteadOfAll(BugRun run) {
    boolean[] full = {false};
    var changed = signal(run, "changed");
    for (int i = 0; i < ROUNDS; i++) {
      int late = 4 * i;
      run.spawn(
          "put",
          () -> {
            run.pause(late);
            exchange(run, full, changed, false);
          });
      run.spawn(
          "take",
          () -> {
            run.pause(late);
            exchange(run, full, changed, true);
          });
    }
  }

  private static void exchange(
      BugRun run, boolean[] full, Signal<@Nullable Void> changed, boolean expected) {
    while (full[0] != expected) {
      var _ = run.scheduler().await(changed);
    }
    full[0] = !expected;
    if (run.mended()) {
      changed.signalAll(null);
    } else {
      changed.signalOne(null);
    }
  }

  /// A fast task comes to the next round while the other task is not yet awake.
  private static void barrierReuse(BugRun run) {
    int[] arrived = {0};
    var all = signal(run, "all are here");
    Barrier barrier = new Barrier(run.scheduler(), "barrier", 2);
    for (int i = 0; i < 2; i++) {
      run.spawn(
          "part",
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              if (run.mended()) {
                barrier.await();
              } else {
                arrived[0]++;
                all.signalAll(null);
                while (arrived[0] % 2 != 0) {
                  var _ = run.scheduler().await(all);
                }
              }
              run.pause(2);
            }
          });
    }
  }

  private static void cellAfterWait(BugRun run) {
    Cell<Integer> tickets = new Cell<>(run.scheduler(), "tickets", 0);
    var conditions = WaitForCondition.on(run.scheduler());
    for (int late : List.of(0, 3)) {
      run.spawn(
          "buy",
          () -> {
            run.pause(late);
            do {
              conditions.waitFor(() -> tickets.get() > 0);
            } while (run.mended() && tickets.get() == 0);
            if (run.mended()) {
              tickets.set(tickets.get() - 1);
            }
            run.pause(); // pays
            if (!run.mended()) {
              tickets.set(tickets.get() - 1);
            }
            require("tickets >= 0", tickets.get() >= 0);
            run.pause(3);
            tickets.set(tickets.get() + 1); // gives it back
          });
    }
    run.spawn("print", () -> tickets.set(1));
  }

  private static void twoChannels(BugRun run) {
    Channel<Integer> names = Channel.unbounded(run.scheduler());
    Channel<Integer> values = Channel.unbounded(run.scheduler());
    Mutex mutex = new Mutex(run.scheduler(), "pair");
    for (int i = 0; i < ROUNDS; i++) {
      names.trySend(i);
      values.trySend(i);
      int late = 3 * i;
      run.spawn(
          "receive a pair",
          () -> {
            run.pause(late);
            if (run.mended()) {
              try (var _ = mutex.lock()) {
                receivePair(run, names, values);
              }
            } else {
              receivePair(run, names, values);
            }
          });
    }
  }

  private static void receivePair(BugRun run, Channel<Integer> names, Channel<Integer> values) {
    int name = names.receive();
    run.pause();
    require("name and value belong together", name == values.receive());
  }

  private record Reply(int request, int answer) {}

  private static void repliesByPosition(BugRun run) {
    Channel<Reply> replies = Channel.unbounded(run.scheduler());
    for (int i = 0; i < ROUNDS; i++) {
      int request = i;
      run.spawn(
          "serve",
          () -> {
            run.pause(1 + request);
            replies.send(new Reply(request, 2 * request));
          });
    }
    run.spawn(
        "ask",
        () -> {
          Map<Integer, Integer> answers = new TreeMap<>();
          for (int i = 0; i < ROUNDS; i++) {
            Reply reply = replies.receive();
            answers.put(run.mended() ? reply.request() : i, reply.answer());
          }
          answers.forEach((request, answer) -> require("2 * request", answer == 2 * request));
        });
  }

  private static void removedListener(BugRun run) {
    boolean[] removed = {false};
    boolean[] closed = {false};
    var listeners = new ArrayList<Runnable>();
    Runnable listener =
        () -> {
          if (!(run.mended() && removed[0])) {
            require("the window is open", !closed[0]);
          }
        };
    listeners.add(listener);
    run.spawn(
        "publish",
        () -> {
          for (Runnable each : List.copyOf(listeners)) {
            run.pause();
            each.run();
          }
        });
    run.spawn(
        "close",
        () -> {
          run.pause(2);
          listeners.remove(listener);
          removed[0] = true;
          closed[0] = true;
        });
  }
}
