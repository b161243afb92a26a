package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.simulation.internal.threads.HostSeat;
import dev.rondo.simulation.internal.threads.ThreadBackend;
import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.Shown;
import dev.rondo.simulation.threads.internal.net.Interrupt;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/// A program that is written for threads, on one host: each of its threads is a task.
///
/// Confined to the world's thread and the threads that it carries.
final class ThreadLoop implements ThreadBackend {

  /// How many turns threads may have at one instant.
  private static final int TURNS = 1_000_000;

  /// The one whose thread has the turn. Written and read by the world's thread; others see another
  /// carrier.
  private static volatile @Nullable ThreadLoop entered;

  private final CoroutineBackend bound = CoroutineBackends.bound();
  private final WorldThreads world;
  private final @Nullable RaceSearch races;
  private @Nullable HostSeat seat;
  private @Nullable HostProgram program;
  private @Nullable Thread carrier;
  private @Nullable CoroutineThread running;
  private final Set<CoroutineThread> alive = new LinkedHashSet<>();

  /// The process's own: a program's settings there do not concern others.
  private Properties properties = (Properties) System.getProperties().clone();

  private Properties others = properties;
  private int blocked;
  private long turnsAt = -1;
  private int turnsNow;

  /// @param races null if its threads do not race
  ThreadLoop(WorldThreads world, @Nullable RaceSearch races) {
    this.world = world;
    this.races = races;
  }

  /// {@return the one whose thread has just left its stack on the calling thread; null if there is
  /// none}
  static @Nullable ThreadLoop ofCarrier() {
    ThreadLoop own = entered;
    return own != null && own.carrier == Thread.currentThread() ? own : null;
  }

  WorldThreads world() {
    return world;
  }

  // As a backend.

  @Override
  public String name() {
    return "THREADS";
  }

  @Override
  public Coroutine newCoroutine(String name, Coroutine.Body body) {
    var made = new CoroutineThread(this, bound, name, body);
    alive.add(made);
    HostProgram own = program;
    if (own != null) {
      ThreadFields.seed(made.carrier(), own.ownChance().generator());
    }
    return made;
  }

  @Override
  public boolean mountsOnLoopThread() {
    return true;
  }

  @Override
  public boolean canAbandon() {
    return true;
  }

  @Override
  public void checkLoopThread(Thread loop) {
    bound.checkLoopThread(loop);
  }

  @Override
  public void begin(HostSeat seat) {
    world.border().begin(this); // or nothing has begun
    this.seat = seat;
    seat.blocker(world);
    seat.noteContents();
    this.program = new HostProgram(this, world, seat);
    properties.setProperty("user.dir", seat.files().getPath("").toAbsolutePath().toString());
    if (races != null) {
      races.begin(seat);
    }
  }

  @Override
  public int blockedCount() {
    return blocked;
  }

  @Override
  public boolean isInitialising() {
    return Hook.isInitialising();
  }

  @Override
  public void end() {
    world.forget(this);
    HostProgram own = program;
    if (own != null) {
      own.end();
      alive.forEach(CoroutineThread::leaveMonitor);
      if (world.border().end(this, own)) {
        world.output().end();
      }
      world.ended(this);
    }
    alive.forEach(CoroutineThread::forget);
    alive.clear();
    // the JVM may keep a thread, and with it this
    program = null;
    seat = null;
    running = null;
  }

  @Override
  public boolean handles(Throwable failure) {
    return handled(Hook.currentThread(), failure);
  }

  @Override
  public void mainEnded() {
    requireNonNull(program, "the host has not begun").processEnd().mainEnded();
  }

  @Override
  public void terminate(Duration limit) {
    requireNonNull(program, "the host has not begun").processEnd().terminate(limit);
  }

  /// {@return its threads}
  Set<CoroutineThread> alive() {
    return Collections.unmodifiableSet(alive);
  }

  boolean carries(Thread carrier) {
    return alive.stream().anyMatch(each -> each.carrier() == carrier);
  }

  void ended(CoroutineThread thread) {
    boolean _ = alive.remove(thread);
  }

  // Turns.

  /// {@return what its threads have in the place of the computer; null before the first turn}
  @Nullable HostProgram program() {
    return program;
  }

  private HostSeat seat() {
    return requireNonNull(seat, "the host has not begun");
  }

  private Scheduler scheduler() {
    return seat().application().scheduler();
  }

  void enter(CoroutineThread thread) {
    carrier = Thread.currentThread();
    entered = this;
    running = thread;
    requireNonNull(program, "the host has not begun").beginTurn();
    countTurn();
    world.border().deliver();
    others = System.getProperties();
    System.setProperties(properties);
    IllegalStateException woken = thread.takeWoken();
    if (woken != null) {
      woken.setStackTrace(thread.stackTrace());
      fail(thread, woken);
    }
  }

  /// A thread has failed, whatever its program does.
  void fail(CoroutineThread thread, IllegalStateException failure) {
    requireNonNull(program, "the host has not begun").failed(thread.name(), failure);
  }

  /// {@return the thread that carries the threads of this. Any thread, while one has a turn}
  Thread worldThread() {
    return requireNonNull(carrier, "no turn has begun");
  }

  /// A thread runs, after the end of its process.
  void resumes(CoroutineThread thread) {
    running = thread;
  }

  /// The running thread may lose its turn.
  void racePoint(@Nullable Object of, int index, String does, String what, int packages) {
    RaceSearch own = races;
    CoroutineThread thread = running;
    if (own != null
        && thread != null
        && own.concerns(packages)
        && own.isSpinning(thread, of, index, does, what)) {
      countTurns(RaceSearch.TURNS_OF_SPIN);
    }
  }

  /// The running thread is ordered after those that have released an object.
  void acquires(Object by) {
    if (races != null && running != null) {
      races.acquires(running, by);
    }
  }

  /// The running thread is ordered before those that will acquire an object.
  void releases(Object by) {
    if (races != null && running != null) {
      races.releases(running, by);
    }
  }

  /// The running thread is ordered before what another one does from now on.
  void interrupts(Thread thread) {
    if (races != null && running != null) {
      races.interrupts(running, thread);
    }
  }

  /// Threads that spin and give way have turns for ever, and time stands still.
  private void countTurn() {
    countTurns(1);
  }

  private void countTurns(int count) {
    long now = seat().nanos();
    turnsNow = now == turnsAt ? turnsNow + count : 0;
    turnsAt = now;
    if (turnsNow > TURNS) {
      turnsNow = 0;
      seat()
          .fail(
              "its threads",
              new IllegalStateException(
                  "simulated threads have had %,d turns while time stood still: one of them waits without sleeping"
                      .formatted(TURNS)));
    }
  }

  void leave(CoroutineThread thread) {
    properties = System.getProperties(); // which the program may have set
    System.setProperties(others);
    HostProgram own = program;
    if (own != null) {
      long drawn = own.ownChance().digest() ^ ThreadFields.digest(thread.carrier());
      seat().note(drawn + thread.name().hashCode() + thread.number());
    }
    running = null;
    entered = null;
  }

  /// The running thread waits for a notification from now on, or no more.
  ///
  /// @param monitor on which it waits; null if it does not wait any more
  void waits(@Nullable Object monitor) {
    CoroutineThread thread = requireNonNull(running, "no thread has the turn");
    Object left = thread.monitor();
    thread.waits(monitor);
    if (monitor != null) {
      releases(monitor);
    } else if (left != null) {
      acquires(left);
    }
  }

  /// The running thread has waited for something up to a limit.
  void endedAtLimit(Object on) {
    endedAtLimit(on, requireNonNull(running, "no thread has the turn"));
  }

  private void endedAtLimit(Object on, CoroutineThread thread) {
    HostProgram own = program;
    if (own != null && on != world) { // a wait for the network is one for simulated hosts
      world.border().endedAtLimit(on, own, thread);
    }
  }

  void blocked() {
    blocked++;
  }

  void unblocked() {
    blocked--;
  }

  /// Whether the caller is the world's thread or one that it carries.
  boolean isHere() {
    return Thread.currentThread() == carrier || Hook.current() != null;
  }

  /// Ends the wait of the running thread when time has passed.
  ScheduledFuture<?> timer(long nanos, Runnable action) {
    CoroutineThread waiter = requireNonNull(running, "no thread has the turn");
    seat().note(nanos);
    Scheduler scheduler = scheduler();
    long deadline = scheduler.host().deadlineAfter(Duration.ofNanos(nanos));
    TimerHandle handle =
        seat().application().time().at(deadline, () -> limitIsOver(waiter, action));
    return new VirtualTimers.TimerFuture(handle);
  }

  private void limitIsOver(CoroutineThread waiter, Runnable action) {
    Object on = waiter.waitsOn();
    if (on != null) {
      endedAtLimit(on, waiter);
    }
    action.run();
  }

  /// Starts a thread of the program.
  ///
  /// @return false if it is one of the JDK, for all programs
  boolean start(Thread thread) {
    if (thread.getClass().getName().startsWith("jdk.internal.misc.InnocuousThread")) {
      return false;
    }
    HostProgram own = requireNonNull(program);
    Shown shown = Shown.start(thread, own);
    own.processEnd().started(thread);
    if (races != null && running != null) {
      races.starts(running, thread);
    }
    Task<Void> task = scheduler().newTask(thread.getName(), () -> run(thread, shown));
    boolean _ = scheduler().scheduleTask(task);
    return true;
  }

  @SuppressWarnings("DoNotCall") // this is the thread that runs it
  private void run(Thread thread, Shown shown) {
    CoroutineThread own = requireNonNull(running);
    ThreadFields.inherit(thread, own.carrier());
    shown.begin(own.carrier());
    own.show(thread);
    try {
      thread.run();
    } catch (Throwable e) {
      if (!handled(thread, e)) {
        throw e;
      }
    } finally {
      ThreadFields.leaveGroup(thread);
      shown.end();
      releases(thread);
      HostProgram program = this.program;
      if (program != null) {
        program.processEnd().ended(thread);
      }
    }
  }

  /// Passes a failure to the handler of a thread.
  ///
  /// @return false if it has none, but for the one that prints
  private static boolean handled(Thread thread, Throwable failure) {
    Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
    if (handler == thread.getThreadGroup()) {
      handler = Thread.getDefaultUncaughtExceptionHandler();
    }
    if (handler == null) {
      return false;
    }
    handler.uncaughtException(thread, failure);
    return true;
  }

  /// Lets time pass for the running thread, whose permit to go on stays as it is.
  void sleep(Duration time) {
    seat().application().sleep(time);
  }

  // The network.

  SelectorProvider provider() {
    return seat().provider();
  }

  WaitForIO io() {
    return seat().application().io();
  }

  long nanos() {
    return seat().nanos();
  }

  /// Waits for the network, as a task does. An interrupt ends the wait of a virtual thread, and no
  /// other.
  ///
  /// @param limit null for none
  /// @return false if the time is over
  /// @throws java.io.InterruptedIOException if it was interrupted, on which a `Socket` closes
  ///   itself
  boolean await(Waitable<?> event, @Nullable Duration limit) throws IOException {
    CoroutineThread waiter = requireNonNull(running, "no thread has the turn");
    if (!waiter.shown().isVirtual()) {
      return awaitEvent(event, limit);
    }
    var interrupt = new Interrupt();
    return interrupt.ends(() -> awaitEvent(Waitable.anyOf(List.of(event, interrupt)), limit));
  }

  private boolean awaitEvent(Waitable<?> event, @Nullable Duration limit) throws IOException {
    AddOnHost host = scheduler().host();
    try {
      if (limit == null) {
        Object _ = host.awaitEvent(event);
      } else {
        Object _ = host.awaitEvent(event, limit);
      }
      return true;
    } catch (TimedOutException e) {
      return false;
    }
  }
}
