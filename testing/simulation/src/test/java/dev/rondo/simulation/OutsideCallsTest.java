package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.OutsideCalls.Call;
import dev.rondo.simulation.OutsideCalls.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The calls of [Planted] and [Clean], which are compiled like any program.
final class OutsideCallsTest {

  /// What [Planted] has a reference to instead of a call, which no search for texts is to find.
  @FunctionalInterface
  interface Nap {
    void take(long millis) throws InterruptedException;
  }

  /// Has each kind of call once or more; never run.
  @SuppressWarnings("all")
  static final class Planted {

    Object clocks() {
      LongSupplier reference = System::nanoTime;
      Supplier<Instant> other = Instant::now;
      return List.of(
          System.currentTimeMillis(), LocalDate.now(), Clock.systemUTC(), reference, other);
    }

    Object randoms() {
      Supplier<UUID> reference = UUID::randomUUID;
      return List.of(Math.random(), new Random(), ThreadLocalRandom.current().nextInt(), reference);
    }

    Object threads() {
      new Thread(() -> {}).start();
      List.of(1).parallelStream().count();
      CompletableFuture.supplyAsync(() -> 1).thenApplyAsync(it -> it);
      return Executors.newCachedThreadPool();
    }

    Object blocks() {
      Nap reference = Thread::sleep;
      return reference;
    }

    Object waits(ExecutorService pool, Lock lock, BlockingQueue<Integer> queue) throws Exception {
      lock.newCondition().await();
      lock.newCondition().awaitNanos(1);
      boolean locked = lock.tryLock(1, TimeUnit.SECONDS);
      new CyclicBarrier(2).await();
      new Exchanger<Integer>().exchange(1);
      new Phaser(1).arriveAndAwaitAdvance();
      new Phaser(1).awaitAdvance(0);
      LockSupport.parkNanos(1);
      boolean acquired = new Semaphore(0).tryAcquire(1, TimeUnit.SECONDS);
      boolean offered = queue.offer(1, 1, TimeUnit.SECONDS);
      new SynchronousQueue<Integer>().take();
      new LinkedBlockingDeque<Integer>().takeFirst();
      new ExecutorCompletionService<Integer>(pool).take();
      boolean ended = pool.awaitTermination(1, TimeUnit.SECONDS);
      new FutureTask<>(() -> 1).get();
      pool.invokeAny(List.of(() -> 1));
      return pool.invokeAll(List.of(() -> 1));
    }

    int forks(ForkJoinPool pool, ForkJoinTask<Integer> task) {
      boolean quiet = pool.awaitQuiescence(1, TimeUnit.SECONDS);
      return pool.invoke(task) + task.join() + task.invoke();
    }

    int child(Process process) throws InterruptedException {
      return process.waitFor();
    }

    Object network() throws IOException {
      SocketChannel.open();
      return List.of(
          new Socket(), InetAddress.getByName("store"), new InetSocketAddress("store", 80));
    }

    Object files() throws IOException {
      return Files.readString(Path.of("/etc/hosts"));
    }

    int identity() {
      return System.identityHashCode(this);
    }

    Object process() throws IOException {
      return new ProcessBuilder("ls").start();
    }

    Runnable inALambda() {
      return () -> System.nanoTime();
    }
  }

  /// Has the harmless sisters of those calls; never run.
  @SuppressWarnings("all")
  static final class Clean {

    Object clocks(Clock clock) {
      return List.of(Instant.now(clock), LocalDate.now(clock), clock.millis());
    }

    Object randoms(long seed) {
      return List.of(new Random(seed), new SplittableRandom(seed).nextInt());
    }

    Object threads(Executor executor) {
      return CompletableFuture.supplyAsync(() -> 1, executor).thenApplyAsync(it -> it, executor);
    }

    Object network(InetAddress address) {
      return new InetSocketAddress(address, 80);
    }

    Object waits(ExecutorService pool, Lock lock, BlockingQueue<Integer> queue) {
      lock.newCondition().signalAll();
      new Phaser(1).arrive();
      new SynchronousQueue<Integer>().poll();
      pool.shutdown();
      boolean can = lock.tryLock() && new Semaphore(1).tryAcquire() && queue.offer(1);
      return List.of(can, queue.poll());
    }
  }

  @TempDir private Path folder;

  @BeforeEach
  void copy() throws IOException {
    for (Class<?> each : List.of(Planted.class, Clean.class)) {
      String name = each.getName().replace('.', '/') + ".class";
      try (var in = each.getClassLoader().getResourceAsStream(name)) {
        Files.write(folder.resolve(each.getSimpleName() + ".class"), in.readAllBytes());
      }
    }
  }

  private List<Call> find() throws IOException {
    return OutsideCalls.in(folder).find();
  }

  private List<String> calledIn(String method) throws IOException {
    return find().stream()
        .filter(call -> call.caller().endsWith("$Planted." + method))
        .map(Call::called)
        .toList();
  }

  @Test
  void find_harmlessCalls_findsNone() throws IOException {
    assertEquals(
        List.of(), find().stream().filter(call -> call.caller().contains("$Clean.")).toList());
  }

  @Test
  void find_clocks_andTheirReferences() throws IOException {
    assertEquals(
        List.of(
            "java.lang.System.nanoTime()",
            "java.time.Instant.now()",
            "java.lang.System.currentTimeMillis()",
            "java.time.LocalDate.now()",
            "java.time.Clock.systemUTC()"),
        calledIn("clocks"));
    assertEquals(List.of("java.lang.System.nanoTime()"), calledIn("lambda$inALambda$0"));
  }

  @Test
  void find_randoms() throws IOException {
    assertEquals(
        List.of(
            "java.util.UUID.randomUUID()",
            "java.lang.Math.random()",
            "java.util.Random.<init>()",
            "java.util.concurrent.ThreadLocalRandom.current()"),
        calledIn("randoms"));
  }

  @Test
  void find_threads() throws IOException {
    assertEquals(
        List.of(
            "java.lang.Thread.<init>(java.lang.Runnable)",
            "java.lang.Thread.start()",
            "java.util.List.parallelStream()",
            "java.util.concurrent.CompletableFuture.supplyAsync(java.util.function.Supplier)",
            "java.util.concurrent.CompletableFuture.thenApplyAsync(java.util.function.Function)",
            "java.util.concurrent.Executors.newCachedThreadPool()"),
        calledIn("threads"));
  }

  @Test
  void find_network() throws IOException {
    assertEquals(
        List.of(
            "java.nio.channels.SocketChannel.open()",
            "java.net.Socket.<init>()",
            "java.net.InetAddress.getByName(java.lang.String)",
            "java.net.InetSocketAddress.<init>(java.lang.String,int)"),
        calledIn("network"));
  }

  @Test
  void find_waitsOfTheJdk_allOfThem() throws IOException {
    var found = new ArrayList<String>();
    for (String method : List.of("waits", "forks", "child")) {
      for (String called : calledIn(method)) {
        found.add(
            called
                .replaceFirst("java\\.(lang|util)\\.(concurrent\\.)?(locks\\.)?", "")
                .replaceFirst("\\(.*", ""));
      }
    }
    assertEquals(
        List.of(
            "Condition.await",
            "Condition.awaitNanos",
            "Lock.tryLock",
            "CyclicBarrier.await",
            "Exchanger.exchange",
            "Phaser.arriveAndAwaitAdvance",
            "Phaser.awaitAdvance",
            "LockSupport.parkNanos",
            "Semaphore.tryAcquire",
            "BlockingQueue.offer",
            "SynchronousQueue.take",
            "LinkedBlockingDeque.takeFirst",
            "ExecutorCompletionService.take",
            "ExecutorService.awaitTermination",
            "FutureTask.get",
            "ExecutorService.invokeAny",
            "ExecutorService.invokeAll",
            "ForkJoinPool.awaitQuiescence",
            "ForkJoinPool.invoke",
            "ForkJoinTask.join",
            "ForkJoinTask.invoke",
            "Process.waitFor"),
        found);
  }

  @Test
  void find_everyKind_isThere() throws IOException {
    assertEquals(
        List.of(Kind.values()), find().stream().map(Call::kind).sorted().distinct().toList());
  }

  @Test
  void except_callersAndCalled_areLeftOut() throws IOException {
    OutsideCalls search = OutsideCalls.in(folder);
    List<Call> left =
        search.except("*.identity", "*").except("*", "java.lang.System.nanoTime()").find();
    assertTrue(left.stream().noneMatch(call -> call.kind() == Kind.IDENTITY));
    assertEquals(search.find().size() - 3, left.size());
    search.except("*", "*").requireNone();
  }

  @Test
  void requireNone_someFound_failsWithTheirLines() {
    var e = assertThrows(SimulationFailedError.class, () -> OutsideCalls.in(folder).requireNone());
    String name = Planted.class.getName();
    assertTrue(
        e.getMessage().contains("\n  " + name + ".blocks(OutsideCallsTest.java:"), e::getMessage);
    assertTrue(
        e.getMessage()
            .contains(
                "): " + Thread.class.getName() + ".sleep(long) blocks all hosts in real time"),
        e::getMessage);
  }

  @Test
  void find_nothingThere_fails() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThrows(IOException.class, () -> OutsideCalls.in(empty).find());
    assertThrows(IOException.class, () -> OutsideCalls.in(folder.resolve("none")).find());
  }

  /// The simulation itself needs the classes of real sockets, which it never connects, the loopback
  /// interface, which stands for any network, the paths that are names of Unix sockets, jars for
  /// its agent, copies of mapped files, threads for calls that block, and a wait for other threads.
  @Test
  void requireNone_ownModule_hasNoOthers() throws IOException {
    OutsideCalls.in(Path.of("target", "classes"))
        .except("*.OutsideAgent.*", "java.nio.file.Files.createTempFile(*")
        .except("*.HostCalls.*", "java.lang.Thread.*")
        .except("*.WorldDriver.*", "java.util.concurrent.Semaphore.tryAcquire(*")
        .except("*Adaptor.*", "java.net.*Socket.<init>*")
        .except("*Adaptor.*", "java.net.NetworkInterface.*")
        .except("*.internal.net.Unix*", "java.nio.file.Path.of(*")
        .except("*.internal.disk.DiskProvider.*", "java.nio.file.Path.of(*")
        .requireNone();
  }
}
