package dev.rondo.benchmarks.bugs;

import static dev.rondo.benchmarks.bugs.BugRun.require;

import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.Task;
import java.util.List;

/// Cancellation, timeouts, and the end of services.
final class EndBugs {

  private static final int ROUNDS = 6;
  private static final int END = -1;

  private EndBugs() {}

  static List<Bug> all() {
    return List.of(
        new Bug("cancelled in the middle", EndBugs::cancelledInTheMiddle),
        new Bug("request to stop is reset", EndBugs::lostStop),
        new Bug("timeout and result", EndBugs::timeoutAndResult),
        new Bug("closed in two phases", EndBugs::twoPhases),
        new Bug("first of two ends a queue", EndBugs::firstEnd),
        new Bug("cancelled before it cleans up", EndBugs::cancelledBeforeTry));
  }

  private static void cancelledInTheMiddle(BugRun run) {
    int[] accounts = {1, 0};
    Task<Void> transfer =
        run.spawn(
            "transfer",
            () -> {
              accounts[0]--;
              if (run.mended()) {
                run.scheduler().shielded(() -> run.pause());
              } else {
                run.pause();
              }
              accounts[1]++;
            });
    run.spawn(
        "cancel",
        () -> {
          run.pause(2);
          transfer.cancel("the user has gone");
        });
    run.atTheEnd("no money is lost", () -> accounts[0] + accounts[1] == 1);
  }

  private static void lostStop(BugRun run) {
    boolean[] stop = {false};
    run.spawn(
        "work",
        () -> {
          if (!run.mended()) {
            stop[0] = false;
          }
          for (int round = 0; !stop[0] && round < ROUNDS; round++) {
            run.pause();
          }
        });
    run.spawn("stop", () -> stop[0] = true);
    run.atTheEnd("the request to stop is there", () -> stop[0]);
  }

  private static void timeoutAndResult(BugRun run) {
    boolean[] over = {false};
    int[] outcomes = {0};
    for (int late : List.of(0, 2)) { // the result, and the end of its time
      run.spawn(
          late == 0 ? "result" : "timeout",
          () -> {
            run.pause(late);
            if (over[0]) {
              return;
            }
            if (run.mended()) {
              over[0] = true;
            }
            run.pause(); // ships, or pays back
            outcomes[0]++;
            over[0] = true;
          });
    }
    run.atTheEnd("one outcome", () -> outcomes[0] == 1);
  }

  private static void twoPhases(BugRun run) {
    boolean[] closing = {false};
    boolean[] closed = {false};
    int[] calls = {0};
    Promise<Boolean> idle = new Promise<>(run.scheduler(), "idle");
    run.spawn(
        "call",
        () -> {
          if (closing[0]) {
            return;
          }
          if (run.mended()) {
            calls[0]++;
          }
          run.pause(); // resolves a name
          if (!run.mended()) {
            calls[0]++;
          }
          run.pause();
          require("the connection is open", !closed[0]);
          calls[0]--;
          if (calls[0] == 0) {
            idle.fulfill(true);
          }
        });
    run.spawn(
        "close",
        () -> {
          run.pause(3);
          closing[0] = true;
          if (calls[0] > 0) {
            var _ = idle.claim();
          }
          closed[0] = true;
        });
  }

  private static void firstEnd(BugRun run) {
    Channel<Integer> queue = Channel.unbounded(run.scheduler());
    for (int i = 1; i <= 2; i++) {
      int item = i;
      run.spawn(
          "producer",
          () -> {
            queue.send(item);
            run.pause();
            queue.send(END);
          });
    }
    int[] sum = {0};
    run.spawn(
        "consumer",
        () -> {
          int ends = 0;
          while (ends < (run.mended() ? 2 : 1)) {
            int item = queue.receive();
            if (item == END) {
              ends++;
            } else {
              sum[0] += item;
            }
          }
        });
    run.atTheEnd("all items are taken", () -> sum[0] == 1 + 2);
  }

  /// A cancellation between the two statements leaves the resource open.
  private static void cancelledBeforeTry(BugRun run) {
    int[] open = {0};
    Task<Void> user =
        run.spawn(
            "use",
            () -> {
              open[0]++;
              if (!run.mended()) {
                run.pause(); // logs it
              }
              try {
                run.pause();
              } finally {
                open[0]--;
              }
            });
    run.spawn(
        "cancel",
        () -> {
          run.pause(3);
          user.cancel("enough");
        });
    run.atTheEnd("all is closed", () -> open[0] == 0);
  }
}
