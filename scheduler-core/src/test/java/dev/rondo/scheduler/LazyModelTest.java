package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.engine.lazy.LazyTasks;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random programs of lazy tasks run twice: as they are, and where a listener has each task made at
/// once. What they see is the same: numbers, parents, order, states, counts, outcomes.
class LazyModelTest extends SchedulerTest {

  private static final int PROGRAMS = 60;
  private static final int MOST_TASKS = 60;

  /// One run of a program.
  private static final class Program implements LazyTasks.Body<Program.Job> {

    /// What a lazy task is for.
    private static final class Job {
      private final int number;
      private long ticket;
      private boolean due = true;
      private boolean dropped;
      private @Nullable Task<?> made;

      Job(int number) {
        this.number = number;
      }
    }

    private final Scheduler scheduler;
    private final LazyTasks<Job> tasks;
    private final Random random;
    private final List<Job> jobs = new ArrayList<>();
    private final List<Task<?>> suspended = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private final TaskLocal<Integer> local = TaskLocal.named("local");

    Program(Scheduler scheduler, long seed) {
      this.scheduler = scheduler;
      this.tasks = LazyTasks.on(scheduler, this);
      this.random = new Random(seed);
    }

    List<String> run() {
      for (int i = random.nextInt(4); i >= 0; i--) {
        add();
      }
      scheduler.spawn("main", this::someSteps);
      scheduler.spawn("waker", this::wakeAll);
      scheduler.start();
      seen.add("pending " + scheduler.tasksPending() + " of " + scheduler.tasks().size());
      return seen;
    }

    private void wakeAll() {
      for (int idle = 0; idle < 5; ) {
        scheduler.yield();
        idle = suspended.isEmpty() && scheduler.tasksPending() == 0 ? idle + 1 : 0;
        while (!suspended.isEmpty()) {
          scheduler.scheduleTask(suspended.removeFirst(), "woken");
        }
      }
    }

    private void add() {
      if (jobs.size() < MOST_TASKS) {
        var job = new Job(jobs.size());
        jobs.add(job);
        job.ticket = tasks.schedule(job);
      }
    }

    private void someSteps() throws Exception {
      for (int i = random.nextInt(5); i > 0; i--) {
        oneStep();
      }
    }

    private void oneStep() throws Exception {
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> add();
        case 4 -> scheduler.yield();
        case 5 -> {
          suspended.add(scheduler.currentTask());
          seen.add("got " + scheduler.suspend());
        }
        case 6 -> seen.add("in " + described(scheduler.currentTask()));
        case 7 -> spawned(scheduler.spawn("child", () -> seen.add("child ran")));
        case 8 -> scheduler.execute(() -> seen.add("command"));
        case 9 -> scheduler.execute(() -> seen.add("command in " + scheduler.currentTask().id()));
        case 10 -> drop(jobs.get(random.nextInt(jobs.size())));
        case 11 ->
            scheduler
                .tasks()
                .forEach(
                    each -> seen.add(each.id() + " " + each.state() + " of " + each.parentId()));
        case 12 -> TaskLocal.where(local, random.nextInt()).run(this::add);
        case 13 -> seen.add("pending " + scheduler.tasksPending());
        case 14 ->
            scheduler.queue().scheduleNext(scheduler.newTask("next", () -> seen.add("next")));
        default -> {
          if (random.nextInt(4) == 0) {
            throw new IllegalStateException("on purpose");
          }
        }
      }
    }

    private void spawned(Task<?> task) {
      seen.add("made " + described(task));
    }

    private static String described(Task<?> task) {
      return task.id() + " '" + task.name() + "' of " + task.parentId();
    }

    private void drop(Job job) {
      if (!job.due) {
        return;
      }
      job.due = false;
      job.dropped = true;
      Task<?> task = job.made;
      boolean taken = task == null ? tasks.unschedule(job, job.ticket) : task.cancel("dropped");
      seen.add("dropped " + job.number + " " + taken);
    }

    @Override
    public String name(Job job) {
      return "job " + job.number;
    }

    @Override
    public void run(Job job) throws Exception {
      job.due = false;
      seen.add("run " + job.number);
      someSteps();
    }

    @Override
    public void made(Job job, Task<@Nullable Void> task) {
      job.made = task;
    }

    @Override
    public void ended(
        Job job, @Nullable Task<@Nullable Void> task, Outcome<@Nullable Void> outcome) {
      if (!job.dropped) {
        seen.add(
            "end " + job.number + " " + outcome.state() + " pending " + scheduler.tasksPending());
        if (random.nextInt(8) == 0) {
          add();
        }
      }
    }
  }

  @Test
  void anyProgram_withAndWithoutTasks_seesTheSame() {
    long seed = new Random().nextLong();
    System.out.println("lazy model: " + PROGRAMS + " programs from seed " + seed);
    for (int i = 0; i < PROGRAMS; i++) {
      List<String> lazy;
      List<String> eager;
      List<Reported> reportedLazy;
      try (Scheduler own = newScheduler()) {
        lazy = new Program(own, seed + i).run();
      }
      reportedLazy = takeReported();
      try (Scheduler own = configured().listener(new TaskListener() {}).build()) {
        eager = new Program(own, seed + i).run();
      }
      assertEquals(String.join("\n", eager), String.join("\n", lazy), "seed " + (seed + i));
      assertEquals(
          takeReported().stream().map(Reported::where).toList(),
          reportedLazy.stream().map(Reported::where).toList(),
          "seed " + (seed + i));
    }
  }
}
