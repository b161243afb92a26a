package dev.rondo.simulation.blocking.internal;

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
import dev.rondo.simulation.blocking.hook.Hook;
import dev.rondo.simulation.blocking.hook.Program;
import dev.rondo.simulation.blocking.hook.Shown;
import dev.rondo.simulation.internal.threads.HostSeat;
import dev.rondo.simulation.internal.threads.ThreadBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketImplFactory;
import java.net.UnknownHostException;
import java.nio.channels.spi.SelectorProvider;
import java.sql.Driver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/// A program that is written for threads, on one host: each of its threads is a task.
///
/// Confined to the world's thread and the threads that it carries.
final class ThreadLoop implements ThreadBackend, Program {

  private static final int PROCESSORS = 4;

  /// What the monotonic clock shows when the world begins: the JDK takes zero for none.
  private static final long UPTIME = 1_000_000_000_000L;

  private static final long MILLION = 1_000_000;

  /// How often a thread may look at the clock in one turn: time stands still meanwhile.
  private static final int LOOKS = 1_000_000;

  /// How many turns threads may have at one instant.
  private static final int TURNS = 1_000_000;

  /// The one whose thread has the turn. Written and read by the world's thread; others see another
  /// carrier.
  private static volatile @Nullable ThreadLoop entered;

  private final CoroutineBackend bound = CoroutineBackends.bound();
  private final WorldThreads world;
  private @Nullable HostSeat seat;
  private @Nullable SplittableRandom chance;
  private @Nullable Thread carrier;
  private @Nullable CoroutineThread running;
  private @Nullable ForkJoinPool pool;
  private final Set<CoroutineThread> alive = new LinkedHashSet<>();

  /// Those of the process: what a program sets there is not that of others.
  private final Properties properties = (Properties) System.getProperties().clone();

  private Properties others = properties;
  private int blocked;
  private int looks;
  private boolean driversLoaded;
  private long turnsAt = -1;
  private int turnsNow;

  ThreadLoop(WorldThreads world) {
    this.world = world;
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
    SplittableRandom own = chance;
    if (own != null) {
      ThreadFields.seed(made.carrier(), own);
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
    this.seat = seat;
    seat.blocker(world);
    this.chance = new SplittableRandom(seat.random().nextLong());
  }

  @Override
  public int blockedCount() {
    return blocked;
  }

  @Override
  public void end() {
    world.forget(this);
    alive.forEach(each -> ThreadFields.forget(each.carrier()));
    alive.clear();
  }

  boolean carries(Thread carrier) {
    return alive.stream().anyMatch(each -> each.carrier() == carrier);
  }

  void ended(CoroutineThread thread) {
    boolean _ = alive.remove(thread);
  }

  // Turns.

  boolean isBegun() {
    return seat != null;
  }

  private HostSeat seat() {
    return requireNonNull(seat, "the host has not begun");
  }

  private SplittableRandom chance() {
    return requireNonNull(chance, "the host has not begun");
  }

  private Scheduler scheduler() {
    return seat().application().scheduler();
  }

  void enter(CoroutineThread thread) {
    carrier = Thread.currentThread();
    entered = this;
    running = thread;
    looks = 0;
    countTurn();
    others = System.getProperties();
    System.setProperties(properties);
    Thread foreign = thread.takeForeign();
    if (foreign != null) {
      seat().fail("thread '" + thread.carrier().getName() + "'", wokenBy(foreign, thread));
    }
  }

  /// Threads that spin and give way have turns for ever, and time stands still.
  private void countTurn() {
    long now = seat().nanos();
    turnsNow = now == turnsAt ? turnsNow + 1 : 0;
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

  private static IllegalStateException wokenBy(Thread foreign, CoroutineThread thread) {
    var failure =
        new IllegalStateException(
            "a simulated thread has waited for thread '%s', which is none of the simulation: virtual time did not wait for it"
                .formatted(foreign.getName()));
    failure.setStackTrace(thread.stackTrace());
    return failure;
  }

  void leave() {
    System.setProperties(others);
    running = null;
    entered = null;
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

  /// Runs something when time has passed.
  ScheduledFuture<?> timer(long nanos, Runnable action) {
    Scheduler scheduler = scheduler();
    long deadline = scheduler.host().deadlineAfter(Duration.ofNanos(nanos));
    TimerHandle handle = seat().application().time().at(deadline, action);
    return new TimerFuture(handle);
  }

  // As the computer of a program.

  @Override
  public long nanoTime() {
    look();
    return UPTIME + seat().nanos();
  }

  @Override
  public long currentTimeMillis() {
    look();
    return seat().instant().toEpochMilli();
  }

  @Override
  public long nanoTimeAdjustment(long offset) {
    look();
    Instant now = seat().instant();
    return (now.getEpochSecond() - offset) * 1000 * MILLION + now.getNano();
  }

  private void look() {
    if (++looks > LOOKS) {
      looks = 0;
      throw failing(
          new IllegalStateException(
              "a simulated thread has looked at the clock %,d times without giving way: time stands still until it waits"
                  .formatted(LOOKS)));
    }
  }

  @Override
  public int availableProcessors() {
    return PROCESSORS;
  }

  @Override
  public boolean start(Thread thread) {
    if (thread.getClass().getName().startsWith("jdk.internal.misc.InnocuousThread")) {
      return false; // of the JDK, for all programs
    }
    Shown shown = Shown.start(thread);
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
      shown.end();
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

  @Override
  public long threadId() {
    return world.nextThreadId();
  }

  @Override
  public int threadNumber() {
    return world.nextThreadNumber();
  }

  @Override
  public IllegalStateException pinned() {
    return failing(
        new IllegalStateException(
            "a simulated thread cannot wait here, because a frame of native code or a class"
                + " initialiser is on its stack: all of the world would stand still"));
  }

  @Override
  public ForkJoinPool pool() {
    ForkJoinPool own = pool;
    if (own == null) {
      own = new ForkJoinPool(PROCESSORS - 1);
      pool = own;
    }
    return own;
  }

  @Override
  public void randomBytes(byte[] bytes) {
    chance().nextBytes(bytes);
  }

  @Override
  public double random() {
    return chance().nextDouble();
  }

  // The network.

  WaitForIO io() {
    return seat().application().io();
  }

  long nanos() {
    return seat().nanos();
  }

  /// Waits as a task does.
  ///
  /// @param limit null for none
  /// @return false if the time is over
  boolean await(Waitable<?> event, @Nullable Duration limit) throws IOException {
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

  @Override
  public SocketImplFactory socketFactory(boolean listening) {
    return () -> new SimulatedSocketImpl(this, listening);
  }

  @Override
  public InetAddress[] addresses(String name) throws UnknownHostException {
    try {
      var found = new ArrayList<InetAddress>();
      for (InetAddress each : seat().names().addresses(name)) {
        found.add(InetAddress.getByAddress(name, each.getAddress()));
      }
      return found.toArray(InetAddress[]::new);
    } catch (UnknownHostException e) {
      throw new UnknownHostException(name + ": " + e.getMessage());
    }
  }

  @Override
  public String nameOf(InetAddress address) {
    try {
      return seat().names().name(address);
    } catch (UnknownHostException e) {
      return address.getHostAddress();
    }
  }

  @Override
  public InetAddress localHost() {
    try {
      return InetAddress.getByAddress(seat().name(), seat().address().getAddress());
    } catch (UnknownHostException e) {
      throw new AssertionError("an address has 4 or 16 bytes", e);
    }
  }

  @Override
  public SelectorProvider provider() {
    return seat().provider();
  }

  // What a process has once.

  @Override
  public boolean addShutdownHook(Thread hook) {
    return true; // a simulated program is killed
  }

  /// The drivers of the program's class path, which register themselves.
  @Override
  public boolean loadDrivers() {
    if (!driversLoaded) {
      driversLoaded = true;
      ServiceLoader.load(Driver.class).stream()
          .filter(each -> each.type().getClassLoader() instanceof ProgramLoader)
          .forEach(each -> each.get());
    }
    return true;
  }

  @Override
  public RuntimeException refused(String what) {
    return failing(
        new UnsupportedOperationException(
            what + " is not part of the simulation: host '" + seat().name() + "' has none"));
  }

  /// The run fails, whatever the program does with the exception.
  private <X extends RuntimeException> X failing(X failure) {
    seat().fail("thread '" + Hook.currentThread().getName() + "'", failure);
    return failure;
  }
}
