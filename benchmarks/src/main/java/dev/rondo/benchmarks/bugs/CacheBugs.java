package dev.rondo.benchmarks.bugs;

import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Caches, and work in the background.
final class CacheBugs {

  private CacheBugs() {}

  static List<Bug> all() {
    return List.of(
        new Bug("cache stampede", CacheBugs::stampede),
        new Bug("old value put into a cache", CacheBugs::staleValue),
        new Bug("writes in the background overtake", CacheBugs::overtakingWrites),
        new Bug("wait group counted by the task", CacheBugs::waitGroup));
  }

  private static void stampede(BugRun run) {
    int[] loads = {0};
    @Nullable String[] cached = {null};
    var loading = new ArrayList<Promise<String>>();
    for (int late : List.of(0, 2)) {
      run.spawn(
          "get",
          () -> {
            run.pause(late);
            if (run.mended() && !loading.isEmpty()) {
              var _ = loading.getFirst().claim();
            } else if (cached[0] == null) {
              Promise<String> own = new Promise<>(run.scheduler(), "load");
              loading.add(own);
              loads[0]++;
              run.pause();
              cached[0] = "page";
              own.fulfill("page");
            }
          });
    }
    run.atTheEnd("loaded once", () -> loads[0] == 1);
  }

  private static void staleValue(BugRun run) {
    int[] stored = {1};
    int[] version = {0};
    @Nullable Integer[] cached = {null};
    run.spawn(
        "read",
        () -> {
          int seen = version[0];
          int value = stored[0];
          run.pause(); // the answer travels
          if (!run.mended() || seen == version[0]) {
            cached[0] = value;
          }
        });
    run.spawn(
        "write",
        () -> {
          run.pause(2);
          stored[0] = 2;
          version[0]++;
          cached[0] = null;
        });
    run.atTheEnd("the cache has the value", () -> cached[0] == null || cached[0] == stored[0]);
  }

  private static void overtakingWrites(BugRun run) {
    var file = new ArrayList<Integer>();
    Channel<Integer> queue = Channel.unbounded(run.scheduler());
    if (run.mended()) {
      run.spawn(
          "writer",
          () -> {
            for (int i = 0; i < 2; i++) {
              file.add(queue.receive());
            }
          });
    }
    run.spawn(
        "log",
        () -> {
          for (int i = 0; i < 2; i++) {
            int line = i;
            if (run.mended()) {
              queue.send(line);
            } else {
              run.spawn("write " + line, () -> file.add(line));
            }
          }
        });
    run.atTheEnd("lines in order", () -> file.equals(List.of(0, 1)));
  }

  private static void waitGroup(BugRun run) {
    int[] running = {0};
    int[] done = {0};
    boolean[] complete = {false};
    run.spawn(
        "main",
        () -> {
          for (int i = 0; i < 2; i++) {
            if (run.mended()) {
              running[0]++;
            }
            run.spawn(
                "part",
                () -> {
                  if (!run.mended()) {
                    running[0]++;
                  }
                  run.pause();
                  done[0]++;
                  running[0]--;
                });
          }
          do {
            run.pause();
          } while (running[0] > 0);
          complete[0] = done[0] == 2;
        });
    run.atTheEnd("main has waited for both", () -> complete[0]);
  }
}
