package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// Loops that share jobs, like the thread pools of coutil, whose jobs are coroutines. A job is a
/// task. It may yield and wait, and other jobs of its loop go on meanwhile. A job begins on the
/// first free loop, and stays there.
///
/// The failure of a job does not end the pool. It reaches the waiters of the job, see [RemoteTask].
/// If a job ends its loop, for instance by [Application#stop()], the other jobs of that loop end
/// too, and a new loop replaces it. A loop that ends before it has begun a job is not replaced.
///
/// A pool ends when it is closed, or with the scheduler whose task has made it. If the main task of
/// that scheduler has failed or was cancelled, the jobs are cancelled at once, and the computicles
/// and pools that they have started. Otherwise they first have 10 seconds.
///
/// Any thread.
public final class Pool implements AutoCloseable {

  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

  private final String name;
  private final Consumer<? super ApplicationBuilder> settings;
  private final Parent parent;
  private final Ending<@Nullable Void> ending;

  /// The jobs that have not begun.
  private final Endpoint<RemoteTask<?>> jobs;

  /// All jobs that have not ended.
  private final Set<RemoteTask<?>> unfinished = ConcurrentHashMap.newKeySet();

  /// The number of jobs that have not begun. It counts a job before the job is in [#jobs].
  private final AtomicInteger waiting = new AtomicInteger();

  /// The loops that take jobs. Changed under the lock of this.
  private final List<Loop> loops = new CopyOnWriteArrayList<>();

  /// All loops that have not ended, including loops that take no more jobs and finish their own.
  /// Added to under the lock of this.
  private final Set<Loop> alive = ConcurrentHashMap.newKeySet();

  /// Guarded by this.
  private int made;

  /// Guarded by this.
  private boolean closing;

  private final Child asChild =
      new Child() {
        @Override
        public void quit() {
          beginToClose(DEFAULT_GRACE, DEFAULT_GRACE);
        }

        @Override
        public void cancel() {
          cancelChildren();
          beginToClose(Duration.ZERO, DEFAULT_GRACE);
        }

        @Override
        public void blockUntilEnded() {
          alive.forEach(each -> each.computicle.blockUntilEnded());
        }
      };

  /// Makes a pool with all defaults. Never a suspension point.
  ///
  /// @param name shown in messages; the names of the threads begin with it
  /// @param size the number of loops, at least 0
  /// @throws IllegalArgumentException if the size is below 0
  public Pool(String name, int size) {
    this(name, size, application -> {});
  }

  /// Makes a pool. Never a suspension point.
  ///
  /// @param name shown in messages; the names of the threads begin with it
  /// @param size the number of loops, at least 0
  /// @param settings receives the builder of each loop's application
  /// @throws IllegalArgumentException if the size is below 0
  public Pool(String name, int size, Consumer<? super ApplicationBuilder> settings) {
    this.name = requireNonNull(name, "name is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.parent = Parent.current();
    this.ending = new Ending<>("pool", name, parent.isSimulated());
    this.jobs = new Endpoint<>("jobs of " + this, Integer.MAX_VALUE);
    try {
      resize(size);
    } catch (Throwable e) { // no thread is left, or a setting is refused
      beginToClose(Duration.ZERO, Duration.ZERO);
      throw e;
    }
    parent.add(asChild);
  }

  // Its loops.

  /// A loop of the pool. Confined to its thread, except where a field says otherwise.
  private final class Loop implements TaskListener {

    private final Computicle<Void> computicle;
    private final Map<Task<?>, RemoteTask<?>> begun = new HashMap<>();
    private final Set<Task<?>> parked = new HashSet<>();
    private boolean hasBegunAny;

    /// Has a message if this loop must look for a job.
    private final Endpoint<Boolean> look = new Endpoint<>(jobs.name(), 1);

    /// The task that takes jobs; null before it begins and after its end.
    private @Nullable Task<?> taker;

    /// Whether a task has a turn. The turn may take long, and the loop takes no job before its end.
    /// Also true before the loop takes its first job and after its last. Read by any thread.
    private volatile boolean hasTurn = true;

    /// The sizes of [#begun] and [#parked]. Read by any thread.
    private volatile int begunCount;

    private volatile int parkedCount;

    /// Written under the lock of the pool.
    private volatile boolean takesNoMore;

    Loop(int number) {
      var builder = Computicle.builder(name + "-" + number);
      builder.application(settings);
      builder.application(application -> application.scheduler(own -> own.listener(this)));
      builder.whenEnded(() -> ended(this));
      computicle = builder.make(parent.withoutChildren(), this::takeJobs);
    }

    private void takeJobs(Application app, ReceiveChannel<Void> mailbox) {
      taker = app.scheduler().currentTask();
      Waitable<Boolean> next =
          Waitable.anyOf(List.of(mailbox.receivingOrEnd().map(end -> false), look.receiving()));
      boolean goesOn = true;
      try {
        while (goesOn && !takesNoMore) {
          app.scheduler().checkpoint(); // a loop that ends could not begin the job
          RemoteTask<?> job = nextJob();
          if (job != null) {
            begin(app, job);
            app.yield(); // other loops may take the next job
          } else {
            goesOn = !jobs.isClosedForReceive() && app.await(next);
          }
        }
      } finally {
        taker = null;
        hasTurn = true; // for good
        haveJobsTaken(); // by another loop, if this one was about to look
      }
    }

    private void begin(Application app, RemoteTask<?> job) {
      hasBegunAny = true;
      Task<?> task = job.begin(app.scheduler(), this::jobEnds);
      if (task != null) {
        begun.put(task, job);
        begunCount = begun.size();
      }
    }

    /// A job is about to end, for its waiters.
    private void jobEnds(Task<?> task) {
      goesOn(task);
      begun.remove(task);
      begunCount = begun.size();
    }

    @Override
    public void suspended(Task<?> task) {
      if (begun.containsKey(task)) {
        parked.add(task);
        parkedCount = parked.size();
      }
    }

    private void goesOn(Task<?> task) {
      if (parked.remove(task)) {
        parkedCount = parked.size();
      }
    }

    @Override
    public void beforeTurn(Task<?> task) {
      hasTurn = true;
      goesOn(task);
      if (task != taker) {
        haveJobsTaken();
      }
    }

    @Override
    public void afterTurn(Task<?> task) {
      hasTurn = taker == null;
      if (waiting.get() > 0) {
        lookForJobs(); // the spawn of a job passed over this loop during its turn
      }
    }

    /// Makes the loop look for a job, unless it is about to. Any thread.
    private void lookForJobs() {
      boolean _ = look.trySend(true);
    }

    /// Any thread.
    private void takeNoMore() {
      takesNoMore = true;
      computicle.quit();
    }

    /// The scheduler of the loop is closed.
    private void abandonJobs() {
      begun.values().forEach(job -> job.abandon(computicle + " has ended before " + job + " did"));
    }
  }

  /// Changes the number of loops that take jobs. Surplus loops, the least busy first, finish the
  /// jobs that they have begun, and end. With zero, jobs wait until there are loops again. Never a
  /// suspension point.
  ///
  /// @param size at least 0
  /// @throws IllegalArgumentException if the size is below 0
  /// @throws ComputicleEndedException if the pool is closed
  public synchronized void resize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("size must be at least 0, but is " + size);
    }
    if (closing) {
      throw new ComputicleEndedException("resize of " + this + ", which is closed");
    }
    while (loops.size() > size) {
      Loop least = leastBusy();
      loops.remove(least);
      least.takeNoMore();
    }
    while (loops.size() < size) {
      addLoop();
    }
  }

  /// The loop with the fewest begun jobs; of several such loops, the newest. Under the lock.
  private Loop leastBusy() {
    Loop least = loops.getLast();
    for (Loop each : loops.reversed()) {
      if (each.begunCount < least.begunCount) {
        least = each;
      }
    }
    return least;
  }

  /// Under the lock.
  private void addLoop() {
    var loop = new Loop(++made);
    loops.add(loop);
    alive.add(loop);
    try {
      loop.computicle.begin();
    } catch (Throwable e) {
      loops.remove(loop);
      alive.remove(loop);
      throw e;
    }
  }

  /// {@return a job that has not begun; null for none}
  private @Nullable RemoteTask<?> nextJob() {
    try {
      RemoteTask<?> job = jobs.tryReceive();
      if (job != null) {
        waiting.decrementAndGet();
      }
      return job;
    } catch (ClosedException e) {
      return null; // the pool was closed, and has no job left
    }
  }

  /// If there are jobs, makes the least busy loop look for them, of the loops that have no turn
  /// under way. If all loops have a turn under way, the first loop whose turn ends looks. Any
  /// thread.
  private void haveJobsTaken() {
    if (waiting.get() <= 0) {
      return;
    }
    Loop least = null;
    for (Loop each : loops) {
      if (!each.hasTurn && (least == null || each.begunCount < least.begunCount)) {
        least = each;
      }
    }
    if (least != null) {
      least.lookForJobs();
    }
  }

  /// On the loop's thread.
  private void ended(Loop loop) {
    loop.abandonJobs();
    try {
      forget(loop);
      haveJobsTaken(); // the ended loop may have been about to look
    } finally {
      endIfLast();
    }
  }

  private synchronized void forget(Loop loop) {
    alive.remove(loop);
    if (!closing && loops.remove(loop) && loop.hasBegunAny) {
      addLoop();
    }
  }

  /// The number of loops that take jobs.
  synchronized int size() {
    return loops.size();
  }

  /// {@return the number of jobs in each state at about this moment}
  PoolCounts counts() {
    int begun = 0;
    int parked = 0;
    for (Loop each : alive) {
      begun += each.begunCount;
      parked += each.parkedCount;
    }
    int pending = Math.max(0, unfinished.size() - begun);
    return new PoolCounts(pending, Math.max(0, begun - parked), parked);
  }

  // Jobs.

  /// Hands a job to the pool. Never a suspension point; never blocks.
  ///
  /// @param <T> the type of the result
  /// @param job may suspend at any depth; handed over with all that it refers to
  /// @return the job, to wait for its end
  /// @throws ComputicleEndedException if the pool is closed; the job does not run
  public <T extends @Nullable Object> RemoteTask<T> spawn(TaskCall<? extends T, ?> job) {
    requireNonNull(job, "job is null");
    var task = new RemoteTask<T>("job of " + name, job, parent.isSimulated(), unfinished::remove);
    unfinished.add(task);
    waiting.incrementAndGet();
    try {
      var _ = jobs.trySend(task); // there is always room
      haveJobsTaken();
    } catch (ClosedException e) {
      waiting.decrementAndGet();
      unfinished.remove(task);
      throw new ComputicleEndedException(
          "spawn in " + this + ", which is closed: the job does not run");
    }
    return task;
  }

  /// [#spawn(TaskCall)] for a job without a result.
  ///
  /// @param job may suspend at any depth; handed over with all that it refers to
  /// @return the job, to wait for its end
  /// @throws ComputicleEndedException if the pool is closed; the job does not run
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public RemoteTask<@Nullable Void> spawn(TaskAction<?> job) {
    requireNonNull(job, "job is null");
    return this.<@Nullable Void>spawn(() -> {
      job.run();
      return null;
    });
  }

  // The end.

  /// [#close(Duration)] with 10 seconds.
  ///
  /// @throws IllegalStateException if a job of the pool calls this
  @Override
  public void close() {
    close(DEFAULT_GRACE);
  }

  /// Ends the pool: it takes no more jobs, and this waits until all jobs are done. When the grace
  /// is over, jobs that have begun are cancelled, and have the same time again to clean up. Jobs
  /// that have not begun then fail with a [ComputicleEndedException]. If the pool has no loop they
  /// fail at once. In a task this suspends, and a cancellation of the task does not end the wait.
  /// On another thread it blocks. A later call can make the grace shorter.
  ///
  /// @param grace at least zero
  /// @throws IllegalArgumentException if the grace is negative
  /// @throws IllegalStateException if a job of the pool calls this
  public void close(Duration grace) {
    requireNonNull(grace, "grace is null");
    long _ = Ending.nanos(grace); // refuses a negative grace
    if (alive.stream().anyMatch(each -> each.computicle.isCurrent())) {
      throw new IllegalStateException(
          "close() of " + this + " by one of its jobs, for whose end it would wait");
    }
    beginToClose(grace, grace);
    ending.joinShielded();
  }

  /// Cancels the children of all loops before a loop can return. From now on no loop is replaced.
  private synchronized void cancelChildren() {
    closing = true;
    alive.forEach(each -> each.computicle.cancelChildren());
    jobs.close();
  }

  private void beginToClose(Duration drain, Duration cleanUp) {
    synchronized (this) {
      closing = true;
      jobs.close();
    }
    alive.forEach(each -> {
      each.lookForJobs();
      each.computicle.shutdown(drain, cleanUp);
    });
    endIfLast();
  }

  /// Ends the pool if it is closed and no loop is left.
  private void endIfLast() {
    synchronized (this) {
      if (!closing || !alive.isEmpty()) {
        return;
      }
    }
    unfinished.forEach(each -> each.abandon(this + " was closed before " + each + " began"));
    parent.remove(asChild);
    ending.complete(null);
  }

  @Override
  public String toString() {
    return "pool '" + name + "'";
  }
}
