package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.internal.TurnRunner;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The methods of the engine's rooms that the kernel calls, and [#course], which one room calls of
/// another.
///
/// The kernel is this package, together with the packages of the scheduler, its add-ons and its
/// coroutines, and `internal`. A *room* is a package below this one, `internal.rooms` or
/// `coroutine.handoff`. A room sees the kernel, and the kernel does not see rooms. If the kernel
/// needs something from a room, such as the report of a deadlock, this class has a method for it,
/// and mostly an interface for the object that the room makes. If a face needs something, such as a
/// group or a choice, [Faces] or [Engine] has the method. Only one class extends this class. It is
/// in the package `engine.rooms`, and names the class of the room that implements each method. No
/// class of a room is loaded before it is needed.
///
/// Where the kernel only calls an object that it has from a room, no method is needed here. The
/// room then implements a *seam*, which is an interface or an abstract class of the kernel:
/// [TaskOwner], [CancelSource], [WaitStep], [WaiterCore], [ReadyQueue], [ReadyQueue.Entry],
/// [Loop.Run].
///
/// A new room must be named in `ROOMS` of `ArchitectureTest` and of `CoreCounts`. Its
/// `package-info.java` names the methods and seams on which it hangs.
public abstract class Rooms extends Engine {

  /// {@return the rooms}
  public static Rooms all() {
    return (Rooms) Faces.all();
  }

  // The methods of the kernel that faces call.

  @Override
  public final @Nullable Scheduler currentOrNull() {
    Loop current = Loop.current();
    return current == null ? null : current.scheduler;
  }

  @Override
  public final void close(@Nullable Object late) {
    if (late instanceof AutoCloseable resource) {
      try {
        resource.close();
      } catch (Exception e) {
        throw Throwables.rethrow(e);
      }
    }
  }

  // engine.scope: limits and shields.

  /// See [Scheduler#within(Duration, TaskCall)].
  public abstract <T extends @Nullable Object, X extends Exception> T within(
      Loop loop, Duration timeout, TaskCall<? extends T, X> code) throws X;

  /// See [Scheduler#shielded(TaskCall)].
  public abstract <T extends @Nullable Object, X extends Exception> T shielded(
      Loop loop, TaskCall<? extends T, X> code) throws X;

  // engine.closing: the end.

  /// See [Scheduler#close()].
  protected abstract void end(Scheduler scheduler);

  /// Called when code waits for the end of a task that was not scheduled. Any thread.
  protected abstract <T extends @Nullable Object> void listened(TaskCore<T> task);

  /// The progress of the end of one scheduler: of an orderly shutdown, or of `close()`.
  public interface Progress {

    /// The course of the shutdown. Any thread.
    Course course();

    /// Whether work from outside is refused. Any thread.
    boolean isIntakeClosed();

    /// Whether the tasks that were left were cancelled, and have time to clean up.
    boolean isCleaningUp();

    /// Called at the end of each run.
    void check();
  }

  /// Makes the progress of a scheduler that is open.
  protected abstract Progress progress(Scheduler scheduler);

  // engine.host: the services for add-ons.

  /// Makes the host of a scheduler.
  protected abstract Host host(Scheduler scheduler);

  // engine.outside: waits for other threads, and waits on threads of its own.

  /// Code that runs in the turn of a task, but outside of the task, which has left its stack.
  public interface Errand {

    /// Runs the code, and then resumes the task.
    ///
    /// @param own the task's coroutine
    /// @return the reason why the task then left its stack; BLOCKED if the code has not ended
    Coroutine.Pause runFor(StackfulTask<?> task, Coroutine own);
  }

  /// Joins a task that has not ended, outside of a task with a stack.
  protected abstract <T extends @Nullable Object> T join(TaskCore<T> task);

  /// See [Future#get()].
  protected abstract <T extends @Nullable Object> T get(TaskCore<T> task)
      throws InterruptedException, ExecutionException;

  /// See [Future#get(long, TimeUnit)].
  protected abstract <T extends @Nullable Object> T get(
      TaskCore<T> task, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException;

  /// The end of a task as a future of the JDK.
  protected abstract <T extends @Nullable Object> CompletableFuture<T> future(TaskCore<T> task);

  /// See [Scheduler#keepAlive()].
  protected abstract KeepAlive keepAlive(Loop loop);

  /// The completion of a future of any kind.
  protected abstract <T extends @Nullable Object> Waitable<T> completion(Future<T> future);

  /// A blocking call.
  ///
  /// @param ifLate receives a result that comes after the wait was given up
  protected abstract <T extends @Nullable Object> Waitable<T> call(
      String name, Callable<? extends T> code, Consumer<? super T> ifLate);

  // engine.cycles: tasks that wait for each other.

  /// Watches the waits of one loop, on the thread of the loop. A loop has a watch from the first
  /// wait that may close a cycle.
  public interface Watch {

    /// Called when a task begins a wait that another task holds or that is a [WaitStep].
    void waitBegins(TaskCore<?> task, Waitable<?> awaited);

    /// Whether no wait has to be examined later.
    boolean isEmpty();

    /// The instant at which [#look] must next be called, unless this watch is empty.
    long deadlineNanos();

    /// Called in each pass.
    void look(long nowNanos);
  }

  /// Makes the watch of a loop.
  protected abstract Watch watch(Loop loop);

  /// Makes the exception to throw if nothing can wake the tasks that are left.
  ///
  /// @param left all tasks but add-ons
  /// @param endsBySignal whether another thread may ask for an orderly shutdown, for which a task
  ///   can wait
  protected abstract RuntimeException deadlock(
      List<TaskCore<?>> left, long nowNanos, boolean endsBySignal);

  // internal.rooms: what other modules keep with tasks and their waits.

  /// The resources that a task has to give back before it ends.
  public interface Owned {

    /// Called when the task has ended.
    void taskEnded(TaskCore<?> task);
  }

  /// The right to settle one wait, for a source that other threads use, too. Any thread.
  public interface Claim {

    /// Takes the claim.
    ///
    /// @return whether the claim was open
    boolean tryTake();

    /// Runs a posted element if it is the event for which the claim was taken. On the thread of the
    /// loop.
    ///
    /// @return whether it is
    boolean deliver(Object posted);
  }

  /// Makes an open claim.
  protected abstract Claim claim();

  // engine.lazy: tasks that are made only if they are needed.

  /// Makes the executor of a scheduler, see [Scheduler#execute]. Any thread.
  protected abstract Executor executor(Loop loop, Progress ending);

  // engine.policy: the order that a policy decides.

  /// Makes a ready queue whose order a policy decides.
  protected abstract ReadyQueue policyQueue(SchedulingPolicy policy);

  /// The properties of a task that a policy may use.
  public interface Urgency {

    /// See [Task#priority()].
    int priority();

    /// See [Task#setPriority(int)].
    void priority(TaskCore<?> task, int set);

    /// See [Task#deadlineNanos()].
    OptionalLong deadlineNanos();

    /// See [Task#setDeadline(Duration)].
    void deadlineNanos(long instant);
  }

  /// Makes the urgency of a task.
  protected abstract Urgency urgency();

  // engine.queue: changes of the order.

  /// Makes the queue of a loop.
  protected abstract TaskQueue queue(Loop loop);

  // engine.shutdown: the orderly end.

  /// The course of the shutdown of one scheduler. It records its progress in [Progress].
  public interface Course {

    /// See [Scheduler#shutdown(Duration, Duration)]. Any thread.
    CompletableFuture<List<TaskInfo>> ask(Duration drain, Duration cleanUp);

    /// See [Scheduler#shutdownRequested()].
    Waitable<@Nullable Void> requested();

    /// Whether a task other than a daemon waits until the shutdown is asked for.
    boolean isAwaited();

    /// Called at the end of each run: ends the shutdown if no work is left.
    void check();

    /// Called when the scheduler has been closed.
    void closed();
  }

  /// Makes the course of a shutdown that was not requested yet.
  public abstract Course course(Scheduler scheduler);

  // engine.succession: shared coroutines.

  /// Lets tasks that never give way share a coroutine.
  public interface FirstTurns {

    /// Gives a task its first turn, and then gives turns to the tasks that follow it.
    void begin(StackfulTask<?> task);
  }

  /// Makes the first turns of a loop.
  protected abstract FirstTurns firstTurns(Loop loop);

  // engine.thread: the thread of a loop.

  /// Makes a strategy that blocks the thread of a loop.
  protected abstract IdleStrategy idleStrategy(Thread thread, Ticker ticker);

  /// Runs code that is not a task. When this method returns, the code has ended, or has become a
  /// task.
  ///
  /// @param what the name of that task
  protected abstract void runOutside(
      Loop loop, TurnRunner runner, Supplier<String> what, Runnable code);

  /// Handles the interrupts of a loop's thread in one run.
  public interface Interrupts {

    /// Called at the beginning of a pass. A thread that is interrupted already counts as
    /// interrupted by another thread.
    void beginPass();

    /// Called when the posted actions of a pass have run.
    void afterDeliveries();

    /// Clears an interrupt of the loop's thread by another thread, and requests the end of the run.
    void note();

    /// Called when the loop's thread is interrupted at the end of a turn.
    ///
    /// @param task null if it was never made
    void inTurn(@Nullable TaskCore<?> task);

    /// Called when the run is over. Sets an interrupt again that the run has cleared.
    void passOn();
  }

  /// Makes the handler of the interrupts in one run.
  protected abstract Interrupts interrupts(Loop loop);

  // engine.view: the observers of a loop and its tasks.

  /// The methods that a loop calls when something happens to a task: a seam for observers. A loop
  /// without observers has no hooks, and the cost is then a null check.
  ///
  /// Confined to the scheduler's thread, except [#turnCount()].
  public interface TurnHooks {

    /// {@return whether a task need not be made for its turn}
    boolean allowsLazyTurns();

    /// {@return whether turns are counted} Otherwise [#turnEnds] is not called.
    boolean countsTurns();

    /// The number of turns that have ended. Any thread. A thread other than the loop's may see an
    /// old value.
    long turnCount();

    void created(TaskCore<?> task);

    void turnBegins(TaskCore<?> task);

    /// Called when a turn is over, possibly twice: a turn can end before [TaskCore#turn] returns,
    /// see [FirstTurns].
    void turnEnds(TaskCore<?> task);

    /// Called when the stack of a task could not be left: its turn goes on.
    void turnGoesOn(TaskCore<?> task);

    /// Called when the turn of a task that is not made begins.
    ///
    /// @param task describes the task that has the turn; any thread
    void lazyTurnBegins(Supplier<? extends @Nullable Task<?>> task);

    /// Called when the turn of a task that was never made is over.
    void lazyTurnEnds();

    /// Called when the running task gives up its place in the ready queue.
    void parked(TaskCore<?> task, TaskState how);

    /// Called when a parked task has become ready.
    void woken(TaskCore<?> task);

    /// Called when a task, or a scope that it is in, was cancelled.
    void cancelled(TaskCore<?> task, CancelRequest request);

    void ended(TaskCore<?> task);

    /// Called before posted actions run.
    void actionsBegin();

    void actionsEnd();
  }

  /// The observers of one loop.
  public interface View {

    /// Opens the observers of a scheduler, when the rest of the scheduler is complete.
    ///
    /// @return the hooks for the observers; null if no observer needs hooks
    @Nullable TurnHooks open(Settings settings);

    /// Closes the observers, from the last to the first.
    void close();
  }

  /// The checks that are made while debugging, on the thread of the loop.
  public interface Checks {

    /// Called before a task gives way.
    ///
    /// @throws IllegalStateException if the task must not give way now
    void beforeGivingWay(TaskCore<?> task);

    /// Called before a run begins.
    ///
    /// @throws IllegalStateException if the caller must not drive the scheduler
    void beforeDriving(String call);
  }

  /// Keeps the contexts of libraries with the tasks, on the thread of the loop.
  public interface Contexts {

    /// {@return the context of this thread; null if there is none}
    @Nullable Object @Nullable [] capture();

    /// {@return the code, to be run later with the present context}
    Runnable keeping(Runnable code);

    /// Called before and after a turn.
    void beforeTurn(TaskCore<?> task);

    /// See [#beforeTurn].
    void afterTurn(TaskCore<?> task);

    /// Called when a task begins on a thread of its own. That thread keeps the context from now on.
    void begin(TaskCore<?> task);

    /// Called when a turn on a thread of a [TurnRunner] is over. Such a thread has no context of
    /// its own.
    void end(TaskCore<?> task);
  }

  /// {@return the observers of a loop, none of them open}
  protected abstract View newView(Loop loop);

  /// {@return the object that keeps contexts with the tasks of one loop}
  protected abstract Contexts contexts(
      List<ContextPropagation<?>> propagations, BiConsumer<String, Throwable> report);

  /// {@return checks for one loop}
  protected abstract Checks checks();

  /// {@return a description of a task, with its stack} On the thread of its loop.
  protected abstract TaskInfo describe(TaskCore<?> task);

  /// {@return the report of the current task, which has received its cancellation many times}
  protected abstract CancelIgnoredException deliveredOften(
      TaskCore<?> task, CancelRequest request, int times);

  /// See [Task#cancel(String, Duration)].
  protected abstract boolean cancel(TaskCore<?> task, String reason, Duration grace);

  /// {@return the exception that replaces the exception of a blocking call which a request has
  /// interrupted}
  ///
  /// @param thrown the exception that the code threw because of the interrupt
  protected abstract TaskCancelled interrupted(CancelRequest request, Exception thrown);

  /// The failures of one loop that other code may still receive.
  public interface HeldFailures {

    /// Adds a failure, see [Loop#report(String, Throwable, BooleanSupplier)].
    void add(String where, Throwable failure, BooleanSupplier received);

    /// Reports all failures that were not received, because no code that could receive them runs
    /// any more.
    void endAll();
  }

  /// {@return the held failures of a loop; there are none yet}
  protected abstract HeldFailures heldFailures(Loop loop);
}
