package dev.rondo.benchmarks.bugs;

import static dev.rondo.benchmarks.bugs.BugRun.require;

import dev.rondo.condition.sync.Mutex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// State that others change while a task waits.
final class UpdateBugs {

  private UpdateBugs() {}

  static List<Bug> all() {
    return List.of(
        new Bug("lost update across a yield", UpdateBugs::lostUpdate),
        new Bug("check, then act", UpdateBugs::checkThenAct),
        new Bug("ABA on a slot", UpdateBugs::aba),
        new Bug("torn read of two fields", UpdateBugs::tornRead),
        new Bug("iterator across a yield", UpdateBugs::iterator),
        new Bug("published before initialised", UpdateBugs::publication),
        new Bug("tested once, read twice", UpdateBugs::readTwice),
        new Bug("call of a listener before the change", UpdateBugs::reentrancy));
  }

  private static void lostUpdate(BugRun run) {
    int[] balance = {0};
    Mutex mutex = new Mutex(run.scheduler(), "balance");
    for (int late : List.of(0, 2)) {
      run.spawn(
          "deposit",
          () -> {
            run.pause(late);
            if (run.mended()) {
              try (var _ = mutex.lock()) {
                deposit(run, balance);
              }
            } else {
              deposit(run, balance);
            }
          });
    }
    run.atTheEnd("both deposits count", () -> balance[0] == 2);
  }

  private static void deposit(BugRun run, int[] balance) {
    int before = balance[0];
    run.pause();
    balance[0] = before + 1;
  }

  private static void checkThenAct(BugRun run) {
    boolean[] taken = {false};
    int[] guests = {0};
    for (int late : List.of(0, 2)) {
      run.spawn(
          "guest",
          () -> {
            run.pause(late);
            if (taken[0]) {
              return;
            }
            if (run.mended()) {
              taken[0] = true;
            }
            run.pause(); // pays
            taken[0] = true;
            guests[0]++;
          });
    }
    run.atTheEnd("one guest has the seat", () -> guests[0] == 1);
  }

  private static final class Node {
    @Nullable Node next;
    boolean inUse;
  }

  private static void aba(BugRun run) {
    var second = new Node();
    var first = new Node();
    first.next = second;
    @Nullable Node[] top = {first};
    int[] version = {0};
    run.spawn(
        "pop",
        () -> {
          Node seen = top[0];
          int seenVersion = version[0];
          Node next = seen == null ? null : seen.next;
          run.pause();
          boolean same = top[0] == seen && (!run.mended() || version[0] == seenVersion);
          if (same) {
            top[0] = next;
            version[0]++;
          }
        });
    run.spawn(
        "pop two, push one",
        () -> {
          run.pause(2);
          if (top[0] == first) {
            top[0] = null; // both
            second.inUse = true;
            version[0]++;
            run.pause();
            first.next = null;
            top[0] = first;
            version[0]++;
          }
        });
    run.atTheEnd("what is free is not in use", () -> top[0] == null || !top[0].inUse);
  }

  private static void tornRead(BugRun run) {
    int[] point = {0, 0};
    Mutex mutex = new Mutex(run.scheduler(), "point");
    run.spawn(
        "move",
        () -> {
          if (run.mended()) {
            try (var _ = mutex.lock()) {
              move(run, point);
            }
          } else {
            move(run, point);
          }
        });
    run.spawn(
        "draw",
        () -> {
          run.pause(2);
          if (run.mended()) {
            try (var _ = mutex.lock()) {
              require("x == y", point[0] == point[1]);
            }
          } else {
            require("x == y", point[0] == point[1]);
          }
        });
  }

  private static void move(BugRun run, int[] point) {
    point[0]++;
    run.pause();
    point[1]++;
  }

  private static void iterator(BugRun run) {
    var sessions = new ArrayList<>(List.of("a", "b"));
    run.spawn(
        "broadcast",
        () -> {
          for (String _ : run.mended() ? List.copyOf(sessions) : sessions) {
            run.pause();
          }
        });
    run.spawn(
        "join",
        () -> {
          run.pause(3);
          sessions.add("c");
        });
  }

  private static final class Service {
    boolean ready;
  }

  private static void publication(BugRun run) {
    @Nullable Service[] published = {null};
    run.spawn(
        "start",
        () -> {
          var service = new Service();
          if (!run.mended()) {
            published[0] = service;
          }
          run.pause(); // loads its data
          service.ready = true;
          published[0] = service;
        });
    run.spawn(
        "use",
        () -> {
          run.pause(2);
          Service service = published[0];
          require("a service is ready", service == null || service.ready);
        });
  }

  private static void readTwice(BugRun run) {
    @Nullable String[] user = {"Ada"};
    run.spawn(
        "greet",
        () -> {
          String name = user[0];
          if (name != null) {
            run.pause();
            require("there is a user", (run.mended() ? name : user[0]) != null);
          }
        });
    run.spawn(
        "log out",
        () -> {
          run.pause(2);
          user[0] = null;
        });
  }

  private static void reentrancy(BugRun run) {
    int[] balance = {1};
    boolean[] greedy = {false};
    run.spawn(
        "pay out",
        () -> {
          run.pause(2);
          payOut(run, balance, greedy);
        });
    run.spawn(
        "listen",
        () -> {
          run.pause(4);
          greedy[0] = true;
        });
    run.atTheEnd("the balance is not negative", () -> balance[0] >= 0);
  }

  private static void payOut(BugRun run, int[] balance, boolean[] greedy) {
    if (balance[0] == 0) {
      return;
    }
    if (run.mended()) {
      balance[0]--;
    }
    boolean again = greedy[0]; // the listener
    greedy[0] = false;
    if (again) {
      payOut(run, balance, greedy);
    }
    if (!run.mended()) {
      balance[0]--;
    }
  }
}
