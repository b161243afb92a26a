package dev.rondo.scheduler.engine.rooms;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.Settings;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.closing.Closing;
import dev.rondo.scheduler.engine.closing.Ending;
import dev.rondo.scheduler.engine.closing.UnbegunTasks;
import dev.rondo.scheduler.engine.cycles.CycleWatch;
import dev.rondo.scheduler.engine.cycles.Deadlocks;
import dev.rondo.scheduler.engine.host.HostCore;
import dev.rondo.scheduler.engine.lazy.Commands;
import dev.rondo.scheduler.engine.outside.BlockingCall;
import dev.rondo.scheduler.engine.outside.ExpectedCaller;
import dev.rondo.scheduler.engine.outside.FutureWaits;
import dev.rondo.scheduler.engine.outside.OwnedFutureWait;
import dev.rondo.scheduler.engine.outside.TaskFuture;
import dev.rondo.scheduler.engine.outside.TaskGets;
import dev.rondo.scheduler.engine.policy.PolicyQueue;
import dev.rondo.scheduler.engine.policy.TaskUrgency;
import dev.rondo.scheduler.engine.queue.QueueCore;
import dev.rondo.scheduler.engine.scope.GeneratorCore;
import dev.rondo.scheduler.engine.scope.GroupCore;
import dev.rondo.scheduler.engine.scope.ScopeCore;
import dev.rondo.scheduler.engine.select.Choice;
import dev.rondo.scheduler.engine.select.Composite;
import dev.rondo.scheduler.engine.select.SelectCore;
import dev.rondo.scheduler.engine.shutdown.Shutdown;
import dev.rondo.scheduler.engine.succession.Succession;
import dev.rondo.scheduler.engine.thread.InterruptedCalls;
import dev.rondo.scheduler.engine.thread.OutsideCode;
import dev.rondo.scheduler.engine.thread.ParkingIdleStrategy;
import dev.rondo.scheduler.engine.thread.ThreadInterrupts;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.view.DebugChecks;
import dev.rondo.scheduler.engine.view.GracePeriod;
import dev.rondo.scheduler.engine.view.LateReports;
import dev.rondo.scheduler.engine.view.LibraryContexts;
import dev.rondo.scheduler.engine.view.ObservedLoop;
import dev.rondo.scheduler.engine.view.TaskInfos;
import dev.rondo.scheduler.engine.view.TaskReports;
import dev.rondo.scheduler.internal.TurnRunner;
import dev.rondo.scheduler.internal.rooms.FailureLog;
import dev.rondo.scheduler.internal.rooms.ReceivedElements;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Names the class that implements each method of [Rooms]. No other class of the kernel does.
///
/// An object that is returned as a class, and not as an interface, comes from a static method.
/// Otherwise the JVM would load the class of the room to verify this class.
public final class AllRooms extends Rooms {

  /// For [dev.rondo.scheduler.engine.Faces], which finds the class by its name.
  public AllRooms() {}

  @Override
  protected void end(Scheduler scheduler) {
    Closing.close(SchedulerCore.of(scheduler));
  }

  @Override
  public Scheduler scheduler(Settings settings) {
    return new SchedulerCore(settings);
  }

  @Override
  public <T extends @Nullable Object> TaskGroup<T> group(
      Scheduler scheduler, String name, TaskGroup.Policy policy) {
    return GroupCore.of(SchedulerCore.of(scheduler), name, policy);
  }

  @Override
  public CancelScope scope(Scheduler scheduler, String name) {
    return ScopeCore.of(SchedulerCore.of(scheduler), name);
  }

  @Override
  public <T extends @Nullable Object> Generator<T> generator(
      Scheduler scheduler, String name, Generator.Body<T> body) {
    return GeneratorCore.of(SchedulerCore.of(scheduler), name, body);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T within(
      Loop loop, Duration timeout, TaskCall<? extends T, X> code) throws X {
    return new ScopeCore(loop, null, false).run(timeout, code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T shielded(
      Loop loop, TaskCall<? extends T, X> code) throws X {
    return ScopeCore.shield(loop).run(code);
  }

  @Override
  protected Host host(Scheduler scheduler) {
    return HostCore.of(SchedulerCore.of(scheduler));
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> map(
      Waitable<A> inner, Function<? super A, ? extends R> function) {
    return new Composite.Mapped<>(inner, function);
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return Choice.anyOf(Objects.requireNonNull(parts, "parts is null"));
  }

  @Override
  public <T extends @Nullable Object> Waitable<Selection<T>> select(
      Waitable<? extends T>[] branches) {
    return Choice.select(Objects.requireNonNull(branches, "branches is null"));
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker) {
    return new Composite.Guard<>(maker);
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> never() {
    return Composite.Constant.never();
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> always(T value) {
    return new Composite.Constant<>(value, true);
  }

  @Override
  public Select newSelect(@Nullable RandomGenerator random) {
    return SelectCore.of(random);
  }

  @Override
  protected <T extends @Nullable Object> T join(TaskCore<T> task) {
    return TaskGets.join(task);
  }

  @Override
  protected <T extends @Nullable Object> T get(TaskCore<T> task)
      throws InterruptedException, ExecutionException {
    return TaskGets.get(task);
  }

  @Override
  protected <T extends @Nullable Object> T get(TaskCore<T> task, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return TaskGets.get(task, timeout, unit);
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> future(TaskCore<T> task) {
    return TaskFuture.of(task);
  }

  @Override
  protected KeepAlive keepAlive(Loop loop) {
    return new ExpectedCaller(loop);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> completion(Future<T> future) {
    return FutureWaits.of(future);
  }

  @Override
  public <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, boolean cancels, Consumer<? super T> ifLate) {
    return new OwnedFutureWait<>(Objects.requireNonNull(future, "future is null"), cancels, ifLate);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> call(
      String name, Callable<? extends T> code, Consumer<? super T> ifLate) {
    return BlockingCall.of(name, code, ifLate);
  }

  @Override
  protected Watch watch(Loop loop) {
    return new CycleWatch(loop);
  }

  @Override
  protected DeadlockException deadlock(
      List<TaskCore<?>> left, long nowNanos, boolean endsBySignal) {
    return Deadlocks.of(left, nowNanos, endsBySignal);
  }

  @Override
  protected Claim claim() {
    return new WaitClaim();
  }

  @Override
  protected Executor executor(Loop loop, Progress ending) {
    return new Commands(loop, ending);
  }

  @Override
  protected FirstTurns firstTurns(Loop loop) {
    return new Succession(loop);
  }

  @Override
  protected ReadyQueue policyQueue(SchedulingPolicy policy) {
    return PolicyQueue.of(policy);
  }

  @Override
  protected Urgency urgency() {
    return new TaskUrgency();
  }

  @Override
  protected TaskQueue queue(Loop loop) {
    return QueueCore.of(loop);
  }

  @Override
  protected <T extends @Nullable Object> void listened(TaskCore<T> task) {
    UnbegunTasks.listened(task);
  }

  @Override
  protected IdleStrategy idleStrategy(Thread thread, Ticker ticker) {
    return new ParkingIdleStrategy(thread, ticker);
  }

  @Override
  protected void runOutside(Loop loop, TurnRunner runner, Supplier<String> what, Runnable code) {
    OutsideCode.run(loop, runner, what, code);
  }

  @Override
  protected Interrupts interrupts(Loop loop) {
    return new ThreadInterrupts(loop);
  }

  @Override
  protected Progress progress(Scheduler scheduler) {
    return new Ending(SchedulerCore.of(scheduler));
  }

  @Override
  public Course course(Scheduler scheduler) {
    return new Shutdown(SchedulerCore.of(scheduler));
  }

  @Override
  protected View newView(Loop loop) {
    return new ObservedLoop(loop);
  }

  @Override
  protected Contexts contexts(
      List<ContextPropagation<?>> propagations, BiConsumer<String, Throwable> report) {
    return new LibraryContexts(propagations, report);
  }

  @Override
  protected Checks checks() {
    return new DebugChecks();
  }

  @Override
  public <T> Iterator<T> elements(Object source, Supplier<Optional<T>> receiving) {
    return new ReceivedElements<>(source, receiving);
  }

  @Override
  public List<Instrument> instruments(List<Instrument> own) {
    return Instruments.with(own);
  }

  @Override
  public FailureHandler failureLog() {
    return new FailureLog(Alerts::log);
  }

  @Override
  protected HeldFailures heldFailures(Loop loop) {
    return new LateReports(loop);
  }

  @Override
  protected TaskCancelled interrupted(CancelRequest request, Exception thrown) {
    return InterruptedCalls.cancelled(request, thrown);
  }

  @Override
  protected TaskInfo describe(TaskCore<?> task) {
    return TaskInfos.of(task);
  }

  @Override
  protected CancelIgnoredException deliveredOften(
      TaskCore<?> task, CancelRequest request, int times) {
    return TaskReports.deliveredOften(task, request, times);
  }

  @Override
  protected boolean cancel(TaskCore<?> task, String reason, Duration grace) {
    return GracePeriod.cancel(task, reason, grace);
  }
}
