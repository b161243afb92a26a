package dev.rondo.scheduler;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.observe.DumpWriter;
import dev.rondo.scheduler.engine.observe.TaskDump;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.observe.DumpFormat;
import dev.rondo.scheduler.observe.TaskInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A round-robin scheduler of cooperative tasks, after William Adams' TINN.
///
/// Tasks take turns on one thread and give way only where they say so: in [#yield()], [#suspend()],
/// [#await] and what is built on them. A method that does not say that it is a suspension point
/// *never* is one. Those that are throw [TaskCancelled] in a cancelled task, and
/// [dev.rondo.scheduler.coroutine.PinnedException] where the stack cannot be left. Whatever tasks
/// wait for is provided by add-ons, which are tasks themselves.
///
/// A scheduler belongs to the thread that built it; its methods may be called on that thread and in
/// its tasks, and throw [WrongThreadException] elsewhere - except [#execute], [#stop],
/// [Task#cancel(String)] and the like, which say so. It can be started, stopped and started again
/// any number of times until it is closed.
///
/// In the wrong place methods throw [IllegalStateException] and change nothing: those that give
/// way, wait or open a scope, outside a stackful task of this scheduler; those that make tasks,
/// once it is closed; those that drive it (`step`, `run`, `start`), in its tasks, while it is
/// driven already, and once it is closed.
public final class Scheduler implements Executor, AutoCloseable {

  private static final Duration DUMP_PATIENCE = Duration.ofSeconds(2);

  private final Loop loop;
  private final LoopThread thread;
  private final ReadyQueue queue;
  private final Driver driver;
  private final Shutdown shutdown;
  private final TaskFactory intake;
  private final AddOns addOns;
  private final ExternalWork externalWork;
  private final Closing closing;

  /// Puts the parts of the engine together.
  Scheduler(Settings settings) {
    this.loop = new Loop(this, settings);
    this.thread = loop.loopThread;
    this.queue = loop.tasks;
    this.externalWork = loop.externalWork();
    Inbox inbox = loop.inbox;
    Failures failures = loop.failures;
    this.shutdown = new Shutdown(loop, queue, failures, this::stop);
    this.driver = new Driver(loop, thread, inbox, failures, shutdown::check);
    this.intake = new TaskFactory(loop, shutdown);
    this.addOns = new AddOns(loop, intake);
    this.closing = new Closing(loop, driver, queue, inbox, failures, shutdown);
  }

  /// {@return a scheduler with all defaults, belonging to the calling thread}
  public static Scheduler create() {
    return builder().build();
  }

  /// {@return a builder with all defaults}
  public static SchedulerBuilder builder() {
    return new SchedulerBuilder();
  }

  /// {@return the scheduler that is running on this thread: inside a task, the task's own} Any
  /// thread.
  ///
  /// @throws IllegalStateException if none is
  public static Scheduler current() {
    Loop current = LoopThread.current();
    if (current == null) {
      throw new IllegalStateException(
          "no scheduler is running on thread '%s': this call is for code inside of a task"
              .formatted(Thread.currentThread().getName()));
    }
    return current.scheduler;
  }

  /// Makes sure that the caller is on the scheduler's thread: for what add-ons offer. Any thread.
  ///
  /// @throws WrongThreadException if it is not; the message names both threads
  public void checkThread() {
    thread.checkCaller();
  }

  // Making tasks.

  /// Makes a stackful task and puts it at the back of the ready queue; the caller keeps its turn.
  ///
  /// @param <T> what it results in
  /// @param code may suspend at any depth
  /// @return the task
  public <T extends @Nullable Object> Task<T> spawn(Callable<? extends T> code) {
    return makeReady(intake.stackful(null, code));
  }

  /// [#spawn(Callable)] with a name.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public <T extends @Nullable Object> Task<T> spawn(String name, Callable<? extends T> code) {
    return makeReady(intake.stackful(name, code));
  }

  /// [#spawn(Callable)] for code without a result.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  public Task<Void> spawn(TaskAction code) {
    return makeReady(intake.stackful(null, TaskFactory.callable(code)));
  }

  /// [#spawn(Callable)] with a name, for code without a result.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public Task<Void> spawn(String name, TaskAction code) {
    return makeReady(intake.stackful(name, TaskFactory.callable(code)));
  }

  /// Makes a stackful task without scheduling it: to set a trap, to make it a daemon, or to
  /// schedule it elsewhere than at the back.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public <T extends @Nullable Object> Task<T> newTask(String name, Callable<? extends T> code) {
    return intake.stackful(name, code);
  }

  /// [#newTask(String, Callable)] for code without a result.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public Task<Void> newTask(String name, TaskAction code) {
    return intake.stackful(name, TaskFactory.callable(code));
  }

  /// Makes a stackless task without scheduling it.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public <T extends @Nullable Object> StepTask<T> newStepTask(String name, StepBody<T> body) {
    return intake.steps(name, body);
  }

  /// Makes a stackless task and puts it at the back of the ready queue.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public <T extends @Nullable Object> StepTask<T> spawnSteps(String name, StepBody<T> body) {
    StepTask<T> task = newStepTask(name, body);
    makeReady(task);
    return task;
  }

  /// Makes a generator: code that makes one element after the other, as they are asked for. It
  /// begins with the first pull.
  ///
  /// @param <T> what it makes
  /// @param name shown in reports
  /// @param body may suspend at any depth
  /// @return to be closed, unless it is pulled to its end
  public <T extends @Nullable Object> Generator<T> newGenerator(
      String name, Generator.Body<T> body) {
    return new Generator<>(loop, name, body);
  }

  private <T extends @Nullable Object> Task<T> makeReady(Task<T> task) {
    task.becomeReady(false);
    return task;
  }

  // Scheduling.

  /// Puts a task at the back of the ready queue. If it is waiting, that wait ends: the await
  /// returns null and nothing stays registered. Never a suspension point.
  ///
  /// @param task of this scheduler
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public boolean scheduleTask(Task<?> task) {
    return own(task).schedule(false);
  }

  /// [#scheduleTask(Task)] with a value: what `suspend()`, or the await that this ends, returns.
  ///
  /// @param task of this scheduler
  /// @param value for its next turn
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public boolean scheduleTask(Task<?> task, @Nullable Object value) {
    return own(task).schedule(value, false);
  }

  /// [#scheduleTask(Task)], but at the front: directly behind the running task.
  ///
  /// @param task of this scheduler
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public boolean scheduleNext(Task<?> task) {
    return own(task).schedule(true);
  }

  /// [#scheduleNext(Task)] with a value.
  ///
  /// @param task of this scheduler
  /// @param value for its next turn
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public boolean scheduleNext(Task<?> task, @Nullable Object value) {
    return own(task).schedule(value, true);
  }

  /// [#scheduleTask(Task)], but directly behind another task that is ready or running.
  ///
  /// @param task of this scheduler
  /// @param anchor of this scheduler
  /// @return false, and no effect, if the anchor is neither ready nor running, or the task is ready
  ///   or running already, blocked in the JDK, or has ended
  public boolean scheduleAfter(Task<?> task, Task<?> anchor) {
    return own(task).scheduleAfter(own(anchor));
  }

  /// Has a task wait for something, instead of putting it into the ready queue: it becomes ready
  /// when that comes, and receives its value. A task that is ready leaves the ready queue, and what
  /// it had received already is dropped; one that waits for something else leaves that. A task that
  /// is cancelled before its first turn drops what has come for it. Never a suspension point.
  ///
  /// If the waitable throws when it is armed, so does this. The task is as before, but for two: a
  /// wait for something else fails with the same, and one that idled wakes.
  ///
  /// @param task of this scheduler
  /// @param waitable what to wait for
  /// @return false, and no effect, if the task waits for just this already, was cancelled and has
  ///   not been told yet, is running, blocked in the JDK, or has ended
  public boolean scheduleOn(Task<?> task, Waitable<?> waitable) {
    return own(task).scheduleOn(Objects.requireNonNull(waitable, "waitable"));
  }

  /// Takes a task out of the ready queue, out of its wait, or out of its idling. It stays suspended
  /// until somebody schedules it; what it had received already it then receives.
  ///
  /// @param task of this scheduler
  /// @return whether it was in one; the running task is left alone
  public boolean unschedule(Task<?> task) {
    return own(task).unschedule();
  }

  /// {@return whether a task is in the ready queue, the running one included}
  ///
  /// @param task of this scheduler
  public boolean scheduled(Task<?> task) {
    return own(task).isReady();
  }

  private <T extends Task<?>> T own(T task) {
    thread.checkCaller();
    if (task.loop != loop) {
      throw new IllegalArgumentException(task + " belongs to another scheduler");
    }
    return task;
  }

  // Looking.

  /// {@return the tasks in the ready queue, from the head; without the running one}
  public List<Task<?>> readyTasks() {
    thread.checkCaller();
    List<Task<?>> ready = queue.listReady();
    if (loop.runningTask() != null) {
      ready.removeFirst();
    }
    return ready;
  }

  /// {@return how many tasks are ready, without the running one}
  public int tasksPending() {
    thread.checkCaller();
    Task<?> running = loop.runningTask();
    if (running == null) {
      return queue.readyCount();
    }
    running.resolveWait(); // a step task may have woken itself, together with others
    return queue.readyCount() - 1;
  }

  /// {@return whether tasks are ready, without the running one}
  public boolean tasksArePending() {
    return tasksPending() > 0;
  }

  /// {@return how many tasks were scheduled and have not ended, add-ons included}
  public int tasksAlive() {
    thread.checkCaller();
    return queue.size();
  }

  /// {@return what every task that was scheduled and has not ended is doing, in the order they were
  /// made}
  public List<TaskInfo> tasks() {
    thread.checkCaller();
    return queue.list().stream().map(task -> TaskInfos.of(task, loop.roundNanos)).toList();
  }

  /// [#dump(DumpFormat, Appendable, Duration)] with a patience of two seconds. Any thread.
  ///
  /// @param format for people or for programs
  /// @param out where to; the calling thread writes
  /// @throws IOException if `out` does
  public void dump(DumpFormat format, Appendable out) throws IOException {
    dump(format, out, DUMP_PATIENCE);
  }

  /// Writes what every task that was scheduled and has not ended is doing: its number, name, state,
  /// what it waits for and since when, who holds that, who made the task, what it has used (see
  /// [SchedulerBuilder#taskMetrics()]) and its stack. Never a suspension point. Any thread.
  ///
  /// Written one task at a time, in no particular order, so that a dump of any size needs little
  /// memory. On the scheduler's own thread it shows one moment. On another one it shows each few
  /// tasks at a moment of theirs, and the loop goes on in between.
  ///
  /// If the loop does not answer, the dump ends with whose turn keeps it from that, and the stack
  /// of that task.
  ///
  /// @param format for people or for programs
  /// @param out where to; the calling thread writes
  /// @param patience how long to wait for each answer of the loop, at least zero. An interrupt of
  ///   the calling thread ends the patience, and is found again by the caller
  /// @throws IllegalArgumentException if the patience is negative
  /// @throws IOException if `out` does
  public void dump(DumpFormat format, Appendable out, Duration patience) throws IOException {
    TaskDump.write(
        loop.view,
        DumpWriter.of(format, Objects.requireNonNull(out, "out")),
        Durations.nanos(patience, "patience"));
  }

  /// {@return the task whose turn it is; null outside of tasks} Any thread: null on a foreign one.
  public @Nullable Task<?> currentTask() {
    return thread.isCaller() ? loop.currentTask() : null;
  }

  /// {@return whether this is the scheduler's thread, outside of any task} Any thread.
  public boolean inMainTask() {
    return thread.isCaller() && loop.currentTask() == null;
  }

  /// {@return the coroutine backend that stackful tasks run on} Any thread.
  public CoroutineBackend backend() {
    return loop.backend;
  }

  // Driving.

  /// Gives one ready task one turn. Never blocks.
  ///
  /// @return whether there was one
  public boolean step() {
    return driver.step();
  }

  /// Gives one ready task one turn: the value goes in, what the task yields or returns comes out.
  /// Never blocks.
  ///
  /// @param value what the task's `yield(v)` or `suspend()` returns, unless it was scheduled with a
  ///   value of its own
  /// @return what the task produced; the value itself if nobody was ready
  public @Nullable Object step(@Nullable Object value) {
    return driver.step(value);
  }

  /// Steps until no working task is ready or will be: the first gets the value, each next one what
  /// the one before produced. Blocks while there is something to wait for. Tasks may be left
  /// suspended.
  ///
  /// @param value for the first task
  /// @return what the last task produced, or what `halt` was given
  public @Nullable Object run(@Nullable Object value) {
    return driver.run(value);
  }

  /// Has the driving `run` return, and keeps the current task at the head of the ready queue: the
  /// next `run` goes on with it. *Always* a suspension point.
  ///
  /// @param value what `run` returns
  /// @return what the next `run` or `step` hands in
  public @Nullable Object halt(@Nullable Object value) {
    return loop.currentStackful("halt").halt(value);
  }

  /// Steps until no working task is left, or until [#stop()] or [#halt(Object)]; blocks while there
  /// is nothing to do. Add-ons and other daemons do not keep it.
  ///
  /// An interrupt of the thread stops it too, and is found again by the caller. On BOUND the JDK
  /// loses one that comes in a turn that ends in a blocking call.
  ///
  /// @throws DeadlockException if tasks are left that nothing can wake; the scheduler is intact
  public void start() {
    driver.start();
  }

  /// Has the driving `start` or `run` return after this turn; all tasks stay where they are. Any
  /// thread. From the scheduler's own thread it has no effect unless it is running; from another
  /// one it ends the next run if there is none now.
  public void stop() {
    driver.stop();
  }

  /// [#shutdown(Duration, Duration)] with the same time for both.
  ///
  /// @param grace at least zero
  /// @return completed at the end, with the tasks that would not go
  /// @throws IllegalArgumentException if it is negative
  public CompletableFuture<List<TaskInfo>> shutdown(Duration grace) {
    return shutdown(grace, grace);
  }

  /// Ends the scheduler in order, in the middle of its work:
  ///
  /// 1. The intake closes: [#execute] refuses, and new tasks can be made by tasks only. Whoever
  ///    awaits [#shutdownRequested()] is told.
  /// 2. Work drains: `start()` goes on, and returns when no task is left but daemons.
  /// 3. Tasks that are left when that time is up are cancelled, the youngest first. They have time
  ///    to clean up.
  /// 4. Tasks that are left then are given up: the failure handler is told of each, with its stack,
  ///    and `start()` returns. `close()`, which has to follow, does not wait for them again.
  ///
  /// A second call can only shorten what is left of the times. While nobody drives the scheduler
  /// nothing happens. A turn that does not end cannot be ended. Any thread, a JVM shutdown hook
  /// among them; never a suspension point. A task that waits for the result waits for itself, and
  /// is cancelled like others.
  ///
  /// @param drain how long tasks may go on, at least zero; centuries mean for ever
  /// @param cleanUp how long cancelled tasks may take, at least zero; with zero they have one turn
  /// @return completed on the scheduler's thread at the end, with the tasks that would not go
  /// @throws IllegalArgumentException if one of them is negative
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    return shutdown.ask(drain, cleanUp);
  }

  /// {@return what comes when an orderly stop has begun: for tasks that would go on for ever, like
  /// one that accepts connections} A task that only waits for this should be a daemon.
  public Waitable<@Nullable Void> shutdownRequested() {
    return shutdown.asWaitable();
  }

  // Giving way.

  /// Goes to the back of the ready queue. *Always* a suspension point.
  public void yield() {
    loop.currentStackful("yield").yield();
  }

  /// Goes to the back of the ready queue with a product for whoever steps. *Always* a suspension
  /// point.
  ///
  /// @param product what `step(value)` returns
  /// @return what the next `step(value)` hands in
  public @Nullable Object yield(@Nullable Object product) {
    return loop.currentStackful("yield").yieldForValue(product);
  }

  /// What every operation does that completes at once when it can: tells the task if it is
  /// cancelled, and gives way if this turn's budget of such operations is spent. For what is built
  /// from `tryX`, and for long computations. A *possible* suspension point. The word is Trio's.
  ///
  /// @throws TaskCancelled if the task, or a scope it is in, is cancelled
  public void checkpoint() {
    loop.currentStackful("checkpoint").checkpoint();
  }

  /// Leaves circulation until somebody schedules this task. *Always* a suspension point.
  ///
  /// @return what it was scheduled with
  public @Nullable Object suspend() {
    return suspend(null);
  }

  /// [#suspend()] with a product for whoever steps. *Always* a suspension point.
  ///
  /// @param product what `step(value)` returns
  /// @return what it was scheduled with
  public @Nullable Object suspend(@Nullable Object product) {
    return loop.currentStackful("suspend").suspend(product);
  }

  /// Takes what the current task was handed for this turn: by `scheduleTask(task, value)`,
  /// `step(value)`, or what it was scheduled on. For a task's first turn; later `suspend()` and
  /// `yield(v)` return it. Never a suspension point.
  ///
  /// @return what it was; null if there was nothing, and on a second call
  /// @throws IllegalStateException outside a stackful task of this scheduler
  public @Nullable Object received() {
    return loop.currentStackful("received").takeDelivered();
  }

  /// Has nothing to do until something outside wakes it: for the body of a stackful add-on. While a
  /// task idles the scheduler is not deadlocked. *Always* a suspension point.
  public void idle() {
    loop.currentStackful("idle").idle();
  }

  /// Has nothing to do before an instant, unless woken: for the body of a stackful add-on. While
  /// others keep the loop busy it gets a turn now and then all the same. *Always* a suspension
  /// point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  public void idleUntil(long deadlineNanos) {
    loop.currentStackful("idleUntil").idleUntil(deadlineNanos);
  }

  // Waiting.

  /// Waits for something. A *possible* suspension point: what completes at once when it can (see
  /// [Waitable#isEager()]) gives way only when this turn's budget of such operations is spent.
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @return what it delivered; or what the task was scheduled with meanwhile
  /// @throws TaskCancelled if the task, or a scope it is in, is cancelled; nothing stays registered
  /// @throws RuntimeException whatever the source failed the wait with, as it is, checked or not
  public <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return loop.currentStackful("await").await(Objects.requireNonNull(waitable, "waitable"));
  }

  /// [#await(Waitable)] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return what it delivered; or what the task was scheduled with meanwhile
  /// @throws TimeoutException if it had not come in time; nothing stays registered
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler, or if that has no
  ///   [TimerService]
  public <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return loop.currentStackful("await")
        .await(Objects.requireNonNull(waitable, "waitable"), timeout);
  }

  /// Waits for whichever comes first; the others lose nothing. Of several that are there already
  /// the first in this order. A *possible* suspension point, as [#await(Waitable)] is.
  ///
  /// @param <T> what it results in
  /// @param branches at least one
  /// @return which, and what it delivered. If the task was scheduled directly meanwhile: what it
  ///   was scheduled with if that is a `Selection`, and null otherwise, for no branch has come
  /// @throws IllegalArgumentException if there is none
  @SafeVarargs
  @SuppressWarnings({
    "unchecked",
    "varargs",
    "NullAway"
  }) // null only for those who schedule waiting tasks
  public final <T extends @Nullable Object> Selection<T> select(Waitable<? extends T>... branches) {
    Waitable<?> first = Selection.anyOf(branches);
    return this.await(first) instanceof Selection<?> selection ? (Selection<T>) selection : null;
  }

  /// {@return something that another thread completes, as something to await or select} The failure
  /// of a stage comes out of the wait as it is, without `CompletionException` around it.
  ///
  /// @param <T> what it results in
  /// @param stage completed anywhere
  public <T extends @Nullable Object> Waitable<T> completion(CompletionStage<T> stage) {
    return FutureWaits.of(Objects.requireNonNull(stage, "stage"));
  }

  /// [#completion(CompletionStage)] for what is a stage and a future.
  ///
  /// @param <T> what it results in
  /// @param future completed anywhere
  /// @return to be awaited or selected
  public <T extends @Nullable Object> Waitable<T> completion(CompletableFuture<T> future) {
    return FutureWaits.of((CompletionStage<T>) Objects.requireNonNull(future, "future"));
  }

  /// [#completion(CompletionStage)] for any future. One that is no `CompletionStage`, no
  /// `ListenableFuture` and no [Task] costs a virtual thread that blocks on it.
  ///
  /// @param <T> what it results in
  /// @param future completed anywhere
  /// @return to be awaited or selected
  public <T extends @Nullable Object> Waitable<T> completion(Future<T> future) {
    return FutureWaits.of(Objects.requireNonNull(future, "future"));
  }

  /// Makes a blocking call on a virtual thread and waits for it; other tasks go on. If the task is
  /// cancelled meanwhile the thread is interrupted and its outcome dropped. *Always* a suspension
  /// point.
  ///
  /// @param <T> what it results in
  /// @param call runs outside of the scheduler, so it must not call back into it
  /// @return what it returned
  /// @throws Exception whatever it threw, as it is
  public <T extends @Nullable Object> T blocking(Callable<? extends T> call) throws Exception {
    StackfulTask<?> task = loop.currentStackful("blocking");
    Objects.requireNonNull(call, "call");
    return task.await(FutureWaits.<T>call("blocking call of task '" + task.name() + "'", call));
  }

  // Scopes and limits.

  /// Runs code with a limit. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task; at the limit its suspension points throw [TaskCancelled]
  /// @return what the code returns, also if it was late
  /// @throws TimeoutException if the code gave way to the limit
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task, or if this scheduler has no
  ///   [TimerService]
  /// @throws Exception whatever the code throws
  public <T extends @Nullable Object> T within(Duration timeout, Callable<? extends T> code)
      throws Exception {
    thread.checkCaller();
    return new CancelScope(loop, "within " + Durations.readable(timeout)).run(timeout, code);
  }

  /// {@return a scope that can be cancelled apart from the task that runs in it}
  ///
  /// @param name shown in messages
  public CancelScope newScope(String name) {
    thread.checkCaller();
    return new CancelScope(loop, name);
  }

  /// {@return a group of tasks, to be opened by its `run` or `call`; the first failure of one
  /// cancels the others}
  ///
  /// @param <T> what all its tasks' results have in common
  /// @param name shown in messages
  public <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return newGroup(name, TaskGroup.Policy.CANCEL_ON_FAILURE);
  }

  /// [#newGroup(String)] with another policy.
  ///
  /// @param <T> what all its tasks' results have in common
  /// @param name shown in messages
  /// @param policy what the end of one task means for the others
  /// @return the group
  public <T extends @Nullable Object> TaskGroup<T> newGroup(String name, TaskGroup.Policy policy) {
    thread.checkCaller();
    return new TaskGroup<>(loop, intake, name, policy);
  }

  /// Runs code that a cancellation from outside must not break into: cleaning up that has to wait.
  /// The cancellation is told at the next suspension point after it. A suspension point if the code
  /// is one.
  ///
  /// @param <T> what it results in
  /// @param code runs in the current task
  /// @return what the code returns
  /// @throws Exception whatever the code throws
  public <T extends @Nullable Object> T shielded(Callable<? extends T> code) throws Exception {
    thread.checkCaller();
    return CancelScope.shield(loop).run(code);
  }

  // Add-ons.

  /// Registers an add-on and gives it a task, a daemon that is suspended until it is woken.
  ///
  /// @param addOn one of its class
  /// @return its task
  /// @throws IllegalStateException if there is one of its class already, or the scheduler is closed
  public StepTask<Void> install(AddOn addOn) {
    return addOns.install(addOn);
  }

  /// {@return the add-on of that class; null if none was installed}
  ///
  /// @param <A> the add-on's class
  /// @param type the add-on's class, or an interface of it
  public <A> @Nullable A addOn(Class<A> type) {
    thread.checkCaller();
    return addOns.find(type);
  }

  /// Replaces how the loop waits when it has nothing to do. For add-ons.
  ///
  /// @param idler the one from now on
  public void idleStrategy(IdleStrategy idler) {
    thread.checkCaller();
    loop.idleStrategy(Objects.requireNonNull(idler, "idler"));
  }

  /// Sets the timer behind timeouts and deadlines. For the time add-on.
  ///
  /// @param keeper the one from now on
  public void timerService(TimerService keeper) {
    thread.checkCaller();
    loop.timerService(Objects.requireNonNull(keeper, "keeper"));
  }

  /// {@return whether there is a timer, so that limits and deadlines can be had} Never a suspension
  /// point.
  public boolean hasTimerService() {
    thread.checkCaller();
    return loop.hasTimerService();
  }

  /// {@return now, on the scheduler's ticker: nanoseconds from an arbitrary origin, to be compared
  /// by subtraction} Any thread, if the ticker is for any thread, as the default is.
  public long nowNanos() {
    return loop.nowNanos();
  }

  /// {@return the instant that is this far from now, in nanoseconds of the scheduler's ticker; one
  /// about 146 years away stands for "for ever"} Any thread, if the ticker is for any thread, as
  /// the default is.
  ///
  /// @param delay at least zero
  /// @throws IllegalArgumentException if it is negative
  public long deadlineAfter(Duration delay) {
    return loop.deadlineAfter(Durations.nanos(delay, "delay"));
  }

  /// Tells the failure handler: at once, or, from another thread, a moment later on the
  /// scheduler's. If the scheduler has closed meanwhile the failure is logged instead. Any thread.
  ///
  /// @param where what was running
  /// @param failure what it threw
  public void report(String where, Throwable failure) {
    Objects.requireNonNull(where, "where");
    loop.report(where, Objects.requireNonNull(failure, "failure"));
  }

  // Other threads.

  /// Has a runnable run as a step task of this scheduler. Any thread; from the scheduler's own it
  /// goes to the back of the ready queue at once.
  ///
  /// @param command must not suspend; a failure goes to the failure handler
  /// @throws RejectedExecutionException if the scheduler is closed, or stopping
  @Override
  public void execute(Runnable command) {
    intake.execute(command);
  }

  /// Has the scheduler's thread do something small between two turns: take note of what has
  /// happened elsewhere, and tell who waits for it. That is no work as for [#execute]: it makes no
  /// task, and is not refused while the scheduler is stopping. What was taken is done, in this
  /// order, by `close()` at the latest. For add-ons. Any thread.
  ///
  /// @param event quick, and must not suspend; a failure goes to the failure handler
  /// @return false if the scheduler is closed; the event is not done then
  public boolean post(Runnable event) {
    return intake.post(event);
  }

  /// Declares that other threads may call in: until the answer is closed, tasks that nothing known
  /// can wake are no deadlock, and `start()` blocks for them.
  ///
  /// @return to be closed on the scheduler's thread when no calls are to be expected any more
  public KeepAlive keepAlive() {
    thread.checkCaller();
    return new KeepAlive(loop, externalWork);
  }

  /// {@return how many waits are for what other threads are doing: blocking calls and completions}
  /// For clocks that must not run ahead of them.
  public int externalWaits() {
    thread.checkCaller();
    return externalWork.waits();
  }

  // The end.

  /// Cancels every task, youngest first, runs them all to their end so that every `finally` has
  /// run, and closes the add-ons. Blocks while tasks that clean up wait for something. Tasks that
  /// would not end are abandoned: the failure handler is told, and so are the threads that wait for
  /// them, by a [TaskAbandonedException]. Later calls do nothing.
  ///
  /// @throws IllegalStateException in a task, or while the scheduler is driven
  @Override
  public void close() {
    closing.close();
  }

  @Override
  public String toString() {
    return "scheduler of " + queue.size() + " tasks on " + backend().name();
  }
}
