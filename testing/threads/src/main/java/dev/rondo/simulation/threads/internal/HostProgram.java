package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.internal.FreshClassLoader;
import dev.rondo.simulation.internal.threads.HostSeat;
import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.Program;
import dev.rondo.simulation.threads.internal.net.AsyncProvider;
import dev.rondo.simulation.threads.internal.net.HostNames;
import dev.rondo.simulation.threads.internal.net.Multicast;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.net.SocketAddress;
import java.net.SocketImplFactory;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The computer of the threads of one process: the clocks, network and disk of their host.
///
/// Confined to the world's thread and the threads that it carries.
final class HostProgram implements Program {

  private static final int PROCESSORS = 4;

  /// The reading of the monotonic clock when the world begins. The JDK takes zero for no reading.
  private static final long UPTIME = 1_000_000_000_000L;

  private static final long NANOS_OF_SECOND = 1_000_000_000;

  /// After so many readings of the clock in one turn a thread sleeps: it waits for a time.
  private static final int MOST_READS = 10_000;

  /// After so many a class initialiser fails.
  private static final int MOST_READS_OF_CLASS = 1_000_000;

  /// How long, as if each reading had taken a microsecond.
  private static final Duration TIME_OF_READS = Duration.ofNanos(MOST_READS * 1_000L);

  /// How often a thread may report a million iterations of a loop in one turn.
  private static final int MOST_MILLIONS = 2_000;

  /// The random source of class initialisers, which run once in the JVM and belong to no run.
  private static final ProgramChance OF_CLASSES = new ProgramChance(0);

  /// Properties that name folders which are there when a program starts.
  private static final List<String> FOLDERS = List.of("java.io.tmpdir", "user.home");

  private static final StackWalker STACK = StackWalker.getInstance();

  private final ThreadLoop loop;
  private final WorldThreads world;
  private final HostSeat seat;
  private final ProgramChance chance;

  /// The random source of the running thread; null if that is [#chance].
  private @Nullable ProgramChance chanceOfClass;

  /// The seeds of the thread that initialises a class, until it has done so.
  private long @Nullable [] seeds;

  private final int processId;
  private final long startNanos;
  private final long startTime;
  private final HostNames names;
  private final AtomicInteger pools = new AtomicInteger(1);
  private final AtomicInteger timers = new AtomicInteger();
  private final CopyOnWriteArrayList<?> drivers = new CopyOnWriteArrayList<>();
  private final Map<String, @Nullable Object> statics = new HashMap<>();
  private PrintStream out;
  private PrintStream err;
  private @Nullable ForkJoinPool pool;
  private @Nullable AsyncProvider asynchronous;
  private final ProcessEnd processEnd;
  private int reads;
  private int millions;
  private boolean driversLoaded;
  private boolean ended;

  HostProgram(ThreadLoop loop, WorldThreads world, HostSeat seat) {
    this.loop = loop;
    this.world = world;
    this.seat = seat;
    this.chance = new ProgramChance(seat.random().nextLong());
    this.processId = world.nextProcessId();
    this.startNanos = seat.nanos();
    this.startTime = seat.instant().toEpochMilli();
    this.names = new HostNames(seat);
    this.processEnd = new ProcessEnd(seat);
    this.out = world.output().newOut(seat);
    this.err = world.output().newErr(seat);
    for (String each : FOLDERS) {
      makeFolder(files().getPath(System.getProperty(each)));
    }
  }

  @Override
  public ProgramChance chance() {
    ProgramChance other = chanceOfClass;
    return other == null ? chance : other;
  }

  /// {@return what its threads draw from, apart from classes that they initialise}
  ProgramChance ownChance() {
    return chance;
  }

  @Override
  public void initialising() {
    seeds = ThreadFields.seeds(Thread.currentThread());
    chanceOfClass = OF_CLASSES;
    ThreadFields.seed(Thread.currentThread(), OF_CLASSES.generator());
  }

  @Override
  public void initialised() {
    ThreadFields.seeds(Thread.currentThread(), requireNonNull(seeds, "no class is initialised"));
    chanceOfClass = null;
  }

  /// A thread has the turn.
  void beginTurn() {
    chanceOfClass = null;
    reads = 0;
    millions = 0;
  }

  // Time.

  @Override
  public long nanoTime() {
    countRead();
    return UPTIME + nanos();
  }

  @Override
  public long currentTimeMillis() {
    countRead();
    return instant().toEpochMilli();
  }

  @Override
  public long nanoTimeAdjustment(long offset) {
    countRead();
    Instant now = instant();
    return (now.getEpochSecond() - offset) * NANOS_OF_SECOND + now.getNano();
  }

  /// A class that is initialised once keeps what it reads: the same in each run.
  private long nanos() {
    return chanceOfClass == null ? seat.nanos() : 0;
  }

  private Instant instant() {
    Instant now = seat.instant();
    return chanceOfClass == null ? now : now.minusNanos(seat.nanos());
  }

  /// Time moves on for a thread that polls the clock. An initialiser cannot give way, and sees one
  /// instant.
  private void countRead() {
    if (++reads <= MOST_READS) {
      return;
    }
    if (chanceOfClass == null) {
      reads = 0;
      loop.sleep(TIME_OF_READS);
    } else if (reads > MOST_READS_OF_CLASS) {
      reads = 0;
      throw failing(
          new IllegalStateException(
              "a class initialiser has read the clock %,d times: time stands still until it has ended"
                  .formatted(MOST_READS_OF_CLASS)));
    }
  }

  @Override
  public void read(String what) {
    seat.read(what);
  }

  @Override
  public void countLoops() {
    if (++millions > MOST_MILLIONS) {
      throw failing(
          new IllegalStateException(
              "a simulated thread has gone through a loop %,d million times in one turn: nothing changes until it waits"
                  .formatted(MOST_MILLIONS)));
    }
  }

  // Threads.

  @Override
  public void racePoint(@Nullable Object of, int index, String does, String what, int packages) {
    loop.racePoint(of, index, does, what, packages);
  }

  @Override
  public int processId() {
    return processId;
  }

  @Override
  public long upTime() {
    return TimeUnit.NANOSECONDS.toMillis(nanos() - startNanos);
  }

  @Override
  public long startTime() {
    return startTime;
  }

  @Override
  public void acquires(Object by) {
    loop.acquires(by);
  }

  @Override
  public void releases(Object by) {
    loop.releases(by);
  }

  @Override
  public void interrupts(Thread thread) {
    loop.interrupts(thread);
  }

  @Override
  public void permits(Thread carrier) {
    loop.world().permits(carrier);
  }

  @Override
  public int availableProcessors() {
    return PROCESSORS;
  }

  @Override
  public boolean start(Thread thread) {
    return loop.start(thread);
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
  public void waiting(Object monitor) {
    if (STACK.walk(frames -> frames.anyMatch(HostProgram::isPinning))) {
      throw pinned();
    }
    loop.waits(monitor);
  }

  @Override
  public void waited() {
    loop.waits(null);
    while (ended) {
      boolean _ = Thread.interrupted();
      LockSupport.park();
    }
  }

  /// {@return how it ends in order}
  ProcessEnd processEnd() {
    return processEnd;
  }

  /// The process has ended: none of its threads goes on.
  void end() {
    ended = true;
  }

  private static boolean isPinning(StackWalker.StackFrame frame) {
    return frame.isNativeMethod() || frame.getMethodName().equals("<clinit>");
  }

  @Override
  public IllegalStateException pinned() {
    return failing(
        new IllegalStateException(
            "a simulated thread cannot wait here, because a frame of native code or a class"
                + " initialiser is on its stack: all of the world would stand still"));
  }

  @Override
  public void endedAtLimit(Object on) {
    loop.endedAtLimit(on);
  }

  @Override
  public List<Thread> threadsOf(ThreadPoolExecutor pool) {
    return PoolFields.threadsOf(pool);
  }

  @Override
  public List<Thread> threadsOf(ForkJoinPool pool) {
    return PoolFields.threadsOf(pool);
  }

  @Override
  public boolean isCommonOfJvm(ForkJoinPool pool) {
    return PoolFields.isCommon(pool);
  }

  @Override
  public IllegalStateException waitsFor(Thread thread) {
    return failing(WorldBorder.failure("a simulated thread waits for", thread));
  }

  @Override
  public IllegalStateException givesWorkTo(Thread thread) {
    return failing(WorldBorder.failure("a simulated thread gives work to", thread));
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
  public AtomicInteger pools() {
    return pools;
  }

  @Override
  public AtomicInteger timers() {
    return timers;
  }

  // The network.

  @Override
  public SocketImplFactory socketFactory(boolean listening) {
    return () -> new SimulatedSocketImpl(loop, listening);
  }

  /// As the JDK makes one: it may send to broadcast addresses.
  @Override
  public DatagramSocket datagramSocket(@Nullable SocketAddress local, Class<?> type)
      throws IOException {
    boolean multicast = type == MulticastSocket.class;
    DatagramSocket made =
        multicast
            ? Multicast.open(seat.provider())
            : seat.provider().openDatagramChannel().socket();
    try {
      if (multicast) {
        made.setReuseAddress(true);
      }
      if (local != null) {
        made.bind(local);
      }
      made.setBroadcast(true);
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
    return made;
  }

  @Override
  public InetAddress[] addresses(String name) throws UnknownHostException {
    return names.addresses(name);
  }

  @Override
  public String nameOf(InetAddress address) {
    return names.nameOf(address);
  }

  @Override
  public InetAddress localHost() {
    return names.localHost();
  }

  @Override
  public SelectorProvider provider() {
    return seat.provider();
  }

  @Override
  public AsyncProvider asynchronous() {
    AsyncProvider own = asynchronous;
    if (own == null) {
      own = new AsyncProvider(seat.provider());
      asynchronous = own;
    }
    return own;
  }

  @Override
  public ExecutorService handlers() {
    return asynchronous().handlers();
  }

  // The disk.

  @Override
  public FileSystem files() {
    return seat.files();
  }

  @Override
  public Path temporary() {
    Path folder = files().getPath(System.getProperty("java.io.tmpdir"));
    makeFolder(folder);
    return folder;
  }

  /// A new disk has the folders that each computer has. Their names outlast a power failure.
  private void makeFolder(Path folder) {
    if (Files.exists(folder)) {
      return;
    }
    try {
      Path _ = Files.createDirectories(folder);
      for (Path each = folder.getParent(); each != null; each = each.getParent()) {
        try (FileChannel names = FileChannel.open(each)) {
          names.force(true);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the folder " + folder, e);
    }
  }

  @Override
  public void deleteOnExit(Path file) {
    processEnd.delete(file);
  }

  // State of the process.

  @Override
  public PrintStream out() {
    return out;
  }

  @Override
  public PrintStream err() {
    return err;
  }

  @Override
  public void out(PrintStream now) {
    out = now instanceof SharedPrintStream ? world.output().newOut(seat) : now;
  }

  @Override
  public void err(PrintStream now) {
    err = now instanceof SharedPrintStream ? world.output().newErr(seat) : now;
  }

  @Override
  public void addShutdownHook(Thread hook) {
    processEnd.add(hook);
  }

  @Override
  public boolean removeShutdownHook(Thread hook) {
    return processEnd.remove(hook);
  }

  @Override
  public void exit(int status) {
    processEnd.exit(status);
  }

  @Override
  public void halt(int status) {
    processEnd.halt(status);
  }

  @Override
  public CopyOnWriteArrayList<?> drivers() {
    return drivers;
  }

  /// The drivers of the program's class path, which register themselves when they are initialised:
  /// those of the test are initialised once, for all programs that share them.
  @Override
  public boolean loadDrivers() {
    if (!driversLoaded) {
      driversLoaded = true;
      for (Driver each : ServiceLoader.load(Driver.class)) {
        if (!(each.getClass().getClassLoader() instanceof FreshClassLoader)) {
          register(each);
        }
      }
    }
    return true;
  }

  private static void register(Driver driver) {
    try {
      DriverManager.registerDriver(driver);
    } catch (SQLException e) {
      throw new IllegalStateException("the driver " + driver + " cannot be registered", e);
    }
  }

  @Override
  public Map<String, @Nullable Object> statics() {
    return statics;
  }

  // Calls that leave the simulation.

  @Override
  public void failed(RuntimeException failure) {
    RuntimeException _ = failing(failure);
  }

  @Override
  public RuntimeException refused(String what) {
    return failing(
        new UnsupportedOperationException(
            what + " is not part of the simulation of host '" + seat.name() + "'"));
  }

  /// The run fails.
  ///
  /// @param thread the name of the one that has failed
  void failed(String thread, RuntimeException failure) {
    seat.fail("thread '" + thread + "'", failure);
  }

  /// The run fails, whatever the program does with the exception.
  private <X extends RuntimeException> X failing(X failure) {
    failed(Hook.currentThread().getName(), failure);
    return failure;
  }
}
