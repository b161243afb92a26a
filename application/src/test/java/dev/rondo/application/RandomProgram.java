package dev.rondo.application;

import dev.rondo.condition.Cell;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A program whose seed determines the acts of its tasks. They spawn, join, wait within limits,
/// pass elements on, lock, cancel each other and fail on purpose, in groups and outside of groups,
/// until all have ended or the application is stopped. Their acts depend only on the seed and on
/// the order of their turns, and are written down.
final class RandomProgram {

  /// The failure of a task that fails on purpose.
  private static final class Intended extends RuntimeException {
    private static final long serialVersionUID = 1;

    Intended(String who) {
      super(who);
    }
  }

  /// Code of a task, which may wait.
  @FunctionalInterface
  private interface Code {
    void run() throws Exception;
  }

  private static final int DEEPEST = 3;
  private static final int MOST_OPERATIONS = 300;
  private static final int MEMBERS = 5;

  private final SplittableRandom root;
  private final VirtualClock clock = new VirtualClock();
  private final List<String> trace = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();
  private final List<Task<?>> tasks = new ArrayList<>();
  private final List<Task<?>> cancelledOnes = new ArrayList<>();
  private final List<Channel<Integer>> channels = new ArrayList<>();
  private int left = MOST_OPERATIONS;
  private int names;
  private long sent;
  private long received;
  private @Nullable Task<?> holder;

  private Application app;
  private Mutex mutex;
  private Cell<Integer> cell;

  RandomProgram(long seed) {
    root = new SplittableRandom(seed);
  }

  /// Runs it.
  ///
  /// @param settings of the application
  /// @return the acts of its tasks, and then the mistakes
  List<String> run(UnaryOperator<ApplicationBuilder> settings) {
    try {
      settings
          .apply(Application.builder().clock(clock).bare())
          .failureHandler(this::reported)
          .run(this::main);
    } catch (Exception e) {
      reported("run", e);
    }
    for (Task<?> each : tasks) {
      check(each.isDone(), each + " is left");
    }
    trace.addAll(mistakes);
    return trace;
  }

  /// Observations that are wrong in every order of turns.
  List<String> mistakes() {
    return mistakes;
  }

  private void reported(String where, Throwable failure) {
    trace.add(where + " failed");
    check(isIntended(failure), where + ": " + failure);
  }

  private static boolean isIntended(@Nullable Throwable failure) {
    return failure != null && (failure instanceof Intended || isIntended(failure.getCause()));
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      mistakes.add(otherwise);
    }
  }

  private void main(Application started) {
    app = started;
    for (int capacity = 0; capacity < 4; capacity++) {
      channels.add(
          capacity == 0
              ? Channel.rendezvous(app.scheduler())
              : Channel.bounded(app.scheduler(), capacity));
    }
    mutex = new Mutex(app.scheduler(), "mutex");
    cell = new Cell<>(app.scheduler(), "cell", 0);
    if (root.nextBoolean()) {
      app.delay(time(root).multipliedBy(2), app::stop);
    }
    List<Task<?>> members = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      SplittableRandom own = root.split();
      String member = "m" + i;
      members.add(spawn(member, () -> act(member, own, 0)));
    }
    try {
      members.forEach(each -> join("main", each));
    } finally {
      long kept = channels.stream().mapToLong(Channel::size).sum();
      if (members.stream().allMatch(Task::isDone) && tasks.stream().allMatch(Task::isDone)) {
        check(sent == received + kept, sent + " sent, " + received + " received, " + kept);
      }
    }
  }

  private static Duration time(SplittableRandom random) {
    return Duration.ofMillis(random.nextInt(20));
  }

  private void log(String who, Object what) {
    trace.add(clock.elapsed().toMillis() + " " + who + " " + what);
  }

  private Task<Void> spawn(String name, Code code) {
    Task<Void> task = app.spawn(name, () -> code.run());
    tasks.add(task);
    return task;
  }

  private void act(String who, SplittableRandom random, int depth) throws Exception {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count && left-- > 0; i++) {
      SplittableRandom own = random.split();
      int kind = own.nextInt(14);
      String outcome =
          depth < DEEPEST && kind < 5 ? nest(kind, who, own, depth) : step(kind, who, own);
      log(who, outcome);
    }
  }

  /// Operations with others inside.
  private String nest(int kind, String who, SplittableRandom random, int depth) throws Exception {
    return switch (kind) {
      case 0 -> {
        String child = who + "." + names++;
        SplittableRandom own = random.split();
        Task<Void> task = spawn(child, () -> act(child, own, depth + 1));
        if (random.nextBoolean()) {
          app.yield();
        }
        yield random.nextInt(3) == 0 ? "spawned" : join(who, task);
      }
      case 1, 2 -> group(who, random, depth);
      case 3 -> within(random, () -> act(who, random, depth + 1));
      default ->
          within(
              random,
              () -> {
                try (var _ = mutex.lock()) {
                  check(holder == null, "two hold the mutex");
                  holder = mutex.holder();
                  try {
                    app.sleep(time(random));
                  } finally {
                    holder = null;
                  }
                }
              });
    };
  }

  private String join(String who, Task<?> task) {
    try {
      task.join();
      return "joined";
    } catch (CancellationException e) {
      if (!cancelledOnes.contains(task)) {
        throw e; // both are cancelled, so the joining task does not fail with this
      }
      return "joined a cancelled one";
    } catch (TaskFailedException e) {
      check(isIntended(e), who + " joins: " + e);
      return "joined a failed one";
    }
  }

  private String within(SplittableRandom random, Code code) throws Exception {
    Duration limit = time(random);
    Duration begun = clock.elapsed();
    try {
      app.within(limit, () -> code.run());
      return "in time";
    } catch (TimedOutException e) {
      check(clock.elapsed().minus(begun).compareTo(limit) >= 0, "out of time early");
      return "out of time";
    }
  }

  private String group(String who, SplittableRandom random, int depth) throws Exception {
    TaskGroup.Policy[] policies = TaskGroup.Policy.values();
    TaskGroup<Object> group =
        app.scheduler().newGroup("g" + names++, policies[random.nextInt(policies.length)]);
    List<Task<?>> children = new ArrayList<>();
    try {
      group.run(() -> {
        for (int i = random.nextInt(4); i > 0; i--) {
          SplittableRandom own = random.split();
          String child = who + ":" + names++;
          children.add(
              group.spawn(
                  child,
                  () -> {
                    act(child, own, depth + 1);
                    Task<Object> sibling =
                        group.spawn(() -> app.select(app.time().after(time(own))));
                    children.add(sibling);
                    return own.nextBoolean() ? join(child, sibling) : "alone";
                  }));
        }
        tasks.addAll(children);
        act(who, random, depth + 1);
        if (random.nextInt(4) == 0) {
          group.cancel("enough");
        }
      });
      return "grouped";
    } catch (TaskFailedException | Intended e) {
      check(isIntended(e), "group: " + e);
      return "group failed";
    } finally {
      check(children.stream().allMatch(Task::isDone), "a group has left children");
    }
  }

  /// Operations without others inside.
  private String step(int kind, String who, SplittableRandom random) throws Exception {
    Channel<Integer> channel = channels.get(random.nextInt(channels.size()));
    try {
      switch (kind) {
        case 0, 1 -> app.sleep(time(random));
        case 2 -> app.yield();
        case 3, 4 -> {
          app.await(channel.sending(1), time(random));
          sent++;
        }
        case 5, 6 -> {
          channel.receive(time(random));
          received++;
        }
        case 7 -> {
          Selection<Object> selection =
              app.select(channel.receiving(), app.time().after(time(random)), channel.sending(1));
          received += selection.index() == 0 ? 1 : 0;
          sent += selection.index() == 2 ? 1 : 0;
          return "selected " + selection.index();
        }
        case 8 -> {
          return "selected again " + selectAgain(random);
        }
        case 9 -> {
          return tasks.isEmpty() ? "idle" : cancel(tasks.get(random.nextInt(tasks.size())));
        }
        case 10 -> cell.set(cell.get() + 1);
        case 11 -> {
          int wanted = cell.get() + random.nextInt(2);
          app.within(time(random), () -> app.waitFor(() -> cell.get() >= wanted));
        }
        case 12 -> {
          boolean waits = random.nextBoolean();
          app.delay(
              time(random),
              () -> {
                if (waits) {
                  app.yield();
                }
                cell.set(cell.get() + 1);
              });
        }
        default -> {
          if (random.nextInt(4) == 0) {
            throw new Intended(who);
          }
        }
      }
      return "did " + kind;
    } catch (TimedOutException e) {
      return "waited in vain " + kind;
    }
  }

  /// A select that is run several times leaves its losing cases armed.
  private long selectAgain(SplittableRandom random) throws Exception {
    long before = received;
    Select select = Select.biased();
    for (Channel<Integer> each : channels) {
      select.on(each.receiving(), element -> received++);
    }
    select.after(time(random), () -> {});
    for (int i = 0; i < 3; i++) {
      select.run();
      if (channels.get(random.nextInt(channels.size())).trySend(i)) {
        sent++;
      }
    }
    return received - before;
  }

  private String cancel(Task<?> task) {
    if (task == app.scheduler().currentTask()) {
      return "is itself";
    }
    cancelledOnes.add(task);
    return "cancelled " + task.name() + " " + task.cancel("for once");
  }
}
