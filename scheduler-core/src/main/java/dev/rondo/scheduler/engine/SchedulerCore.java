package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The implementation of [Scheduler]: puts the parts of the engine together and passes each call to
/// its part.
public final class SchedulerCore extends Engine.Whole {

  /// For the rooms.
  public final Loop loop;

  private final ReadyQueue queue;

  /// For the rooms.
  public final Driver driver;

  /// For the rooms.
  public final Rooms.Progress ending;

  /// For the rooms.
  public final TaskFactory taskFactory;

  /// Closes the observers. For the rooms.
  public final Runnable closeView;

  /// Whether each suspension point checks for mistakes. For the rooms.
  public final boolean debug;

  /// Null before it is first needed. Any thread reads this field. All fields of a host are final,
  /// so no thread sees an incomplete host.
  private Engine.@Nullable Host host;

  /// Runs commands; null before the first command. Any thread.
  private volatile @Nullable Executor executor;

  /// Null before it is first needed.
  private Rooms.@Nullable View view;

  /// @param settings from the builder
  public SchedulerCore(Settings settings) {
    this.loop = new Loop(this, settings);
    boolean observed = !settings.instruments().isEmpty() || !settings.listeners().isEmpty();
    this.debug = settings.debug();
    this.closeView = observed ? () -> view().close() : () -> {};
    this.queue = loop.tasks;
    this.ending = Rooms.all().progress(this);
    this.taskFactory = new TaskFactory(loop, ending);
    this.driver = new Driver(loop, this::beginLastLook, ending::check);
    loop.hooks(observed ? view().open(settings) : null);
  }

  @Override
  public TaskQueue queue() {
    return Rooms.all().queue(loop);
  }

  @Override
  public AddOnHost host() {
    Engine.Host own = host;
    return own == null ? newHost() : own; // add-ons call this in each operation
  }

  private synchronized AddOnHost newHost() {
    Engine.Host own = host;
    if (own == null) {
      own = Rooms.all().host(this);
      host = own;
    }
    return own;
  }

  private boolean beginLastLook(boolean again) {
    Engine.Host own = host;
    return own != null && own.beginLastLook(again);
  }

  /// The loop as observers see it. Any thread.
  public synchronized Rooms.View view() {
    Rooms.View own = view;
    if (own == null) {
      own = Rooms.all().newView(loop);
      view = own;
    }
    return own;
  }

  /// {@return the implementation of a scheduler}
  public static SchedulerCore of(Scheduler scheduler) {
    return (SchedulerCore) Objects.requireNonNull(scheduler, "scheduler is null");
  }

  // Making tasks.

  @Override
  public <T extends @Nullable Object> Task<T> spawn(TaskCall<? extends T, ?> code) {
    return makeReady(taskFactory.stackful(null, code));
  }

  @Override
  public <T extends @Nullable Object> Task<T> spawn(String name, TaskCall<? extends T, ?> code) {
    return makeReady(taskFactory.stackful(Objects.requireNonNull(name, "name is null"), code));
  }

  @Override
  public <T extends @Nullable Object> Task<T> newTask(String name, TaskCall<? extends T, ?> code) {
    return taskFactory.stackful(Objects.requireNonNull(name, "name is null"), code);
  }

  private <T extends @Nullable Object> Task<T> makeReady(TaskCore<T> task) {
    task.becomeReady(Place.BACK);
    return task;
  }

  // Scheduling.

  @Override
  public boolean scheduleTask(Task<?> task) {
    return own(task).schedule(Place.BACK);
  }

  @Override
  public boolean scheduleTask(Task<?> task, @Nullable Object value) {
    return own(task).schedule(value, Place.BACK);
  }

  private TaskCore<?> own(Task<?> task) {
    return TaskCore.of(task, loop);
  }

  // Looking.

  @Override
  public int tasksPending() {
    loop.checkCaller();
    return queue.readyCount() - (loop.runningTask() == null ? 0 : 1);
  }

  @Override
  public List<TaskInfo> tasks() {
    loop.checkCaller();
    return queue.list().stream().map(TaskCore::info).toList();
  }

  @Override
  public @Nullable Task<?> currentTask() {
    return loop.isCaller() ? loop.currentTask() : null;
  }

  @Override
  public boolean inMainTask() {
    return loop.isCaller() && !loop.hasCurrentTask();
  }

  // Driving.

  @Override
  public boolean step() {
    return driver.step();
  }

  @Override
  public @Nullable Object step(@Nullable Object value) {
    return driver.step(value);
  }

  @Override
  public @Nullable Object run(@Nullable Object value) {
    return driver.run(value);
  }

  @Override
  public @Nullable Object halt(@Nullable Object value) {
    return loop.currentStackful("halt").halt(value);
  }

  @Override
  public void start() {
    driver.start();
  }

  @Override
  public void stop() {
    driver.stop();
  }

  @Override
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    return ending.course().ask(drain, cleanUp);
  }

  @Override
  public Waitable<@Nullable Void> shutdownRequested() {
    return ending.course().requested();
  }

  // Giving way.

  @Override
  public void yield() {
    loop.currentStackful("yield").yield();
  }

  @Override
  public @Nullable Object yield(@Nullable Object product) {
    return loop.currentStackful("yield").yieldForValue(product);
  }

  @Override
  public void checkpoint() {
    if (loop.checkedSlot != queue.running || !loop.isCaller() || loop.eagerBudget-- <= 0) {
      loop.currentStackful("checkpoint").checkpointOfMany();
    }
  }

  @Override
  public @Nullable Object suspend(@Nullable Object product) {
    return loop.currentStackful("suspend").suspend(product);
  }

  @Override
  public @Nullable Object received() {
    return loop.currentStackful("received").takeDelivered();
  }

  // Waiting.

  @Override
  public <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return loop.currentStackful("await")
        .await(Objects.requireNonNull(waitable, "waitable is null"));
  }

  @Override
  public <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return loop.currentStackful("await")
        .await(Objects.requireNonNull(waitable, "waitable is null"), timeout);
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> completion(Future<T> future) {
    return Rooms.all().completion(Objects.requireNonNull(future, "future is null"));
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, Consumer<? super T> ifLate) {
    Objects.requireNonNull(future, "future is null");
    return Rooms.all().completion(future, false, Objects.requireNonNull(ifLate, "ifLate is null"));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T blocking(TaskCall<? extends T, X> call)
      throws X {
    return blocking(call, Faces.all()::close);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call, Consumer<? super T> ifLate) throws X {
    StackfulTask<?> task = loop.currentStackful("blocking");
    Objects.requireNonNull(call, "call is null");
    Objects.requireNonNull(ifLate, "ifLate is null");
    String name = "blocking call of task '" + task.name() + "'";
    return task.awaitEvent(Rooms.all().<T>call(name, call, ifLate));
  }

  // Scopes and limits.

  @Override
  public <T extends @Nullable Object, X extends Exception> T within(
      Duration timeout, TaskCall<? extends T, X> code) throws X {
    loop.checkCaller();
    Objects.requireNonNull(timeout, "timeout is null");
    return Rooms.all().within(loop, timeout, code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T shielded(TaskCall<? extends T, X> code)
      throws X {
    loop.checkCaller();
    return Rooms.all().shielded(loop, code);
  }

  // Other threads.

  @Override
  public void execute(Runnable command) {
    Executor own = executor;
    if (own == null) {
      own = Rooms.all().executor(loop, ending); // each of several threads may make one
      executor = own;
    }
    own.execute(command);
  }

  @Override
  public boolean post(Runnable action) {
    Inbox inbox = loop.inbox;
    return inbox.post(Objects.requireNonNull(action, "action is null"));
  }

  @Override
  public KeepAlive keepAlive() {
    return Rooms.all().keepAlive(loop);
  }

  // The end.

  @Override
  public void close() {
    if (!loop.isClosing()) {
      Rooms.all().end(this);
    }
  }

  @Override
  public String toString() {
    CoroutineBackend backend = loop.backend;
    return "scheduler of " + queue.size() + " tasks on " + backend.name();
  }
}
