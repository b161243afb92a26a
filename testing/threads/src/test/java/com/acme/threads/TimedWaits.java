package com.acme.threads;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// Waits of the JDK that end by themselves. Each takes ten seconds.
@SuppressWarnings("WaitNotInLoop") // they are to end by themselves
public final class TimedWaits {

  /// A wait.
  public interface Wait {
    /// Waits for ten seconds.
    void run() throws Exception;
  }

  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Object MONITOR = new Object();

  private TimedWaits() {}

  /// {@return all of them, by name}
  public static Map<String, Wait> all() {
    Map<String, Wait> waits = new LinkedHashMap<>();
    waits.put("Thread.sleep(ms)", () -> Thread.sleep(10_000));
    waits.put("Thread.sleep(ms, ns)", () -> Thread.sleep(10_000, 0));
    waits.put("Thread.sleep(Duration)", () -> Thread.sleep(TEN));
    waits.put("TimeUnit.sleep", () -> TimeUnit.SECONDS.sleep(10));
    waits.put("parkNanos", () -> LockSupport.parkNanos(TEN.toNanos()));
    waits.put("parkNanos(blocker)", () -> LockSupport.parkNanos(MONITOR, TEN.toNanos()));
    waits.put("parkUntil", () -> LockSupport.parkUntil(System.currentTimeMillis() + 10_000));
    waits.put("Object.wait(ms)", TimedWaits::waitOnMonitor);
    waits.put("Thread.join(ms)", () -> sleeper(20).join(10_000));
    waits.put("Thread.join()", () -> sleeper(10).join());
    waits.put("Thread.join(Duration)", () -> sleeper(20).join(TEN));
    waits.put("Semaphore.tryAcquire", () -> new Semaphore(0).tryAcquire(10, TimeUnit.SECONDS));
    waits.put("CountDownLatch.await", () -> new CountDownLatch(1).await(10, TimeUnit.SECONDS));
    waits.put("CyclicBarrier.await", TimedWaits::waitAtBarrier);
    waits.put("Exchanger.exchange", TimedWaits::exchange);
    waits.put("ReentrantLock.tryLock", TimedWaits::tryLock);
    waits.put("StampedLock.tryWriteLock", TimedWaits::tryStamped);
    waits.put(
        "ArrayBlockingQueue.poll", () -> new ArrayBlockingQueue<>(1).poll(10, TimeUnit.SECONDS));
    waits.put("ArrayBlockingQueue.offer", TimedWaits::offerToFull);
    waits.put(
        "LinkedBlockingQueue.poll", () -> new LinkedBlockingQueue<>().poll(10, TimeUnit.SECONDS));
    waits.put(
        "LinkedBlockingDeque.poll", () -> new LinkedBlockingDeque<>().poll(10, TimeUnit.SECONDS));
    waits.put(
        "PriorityBlockingQueue.poll",
        () -> new PriorityBlockingQueue<>().poll(10, TimeUnit.SECONDS));
    waits.put("SynchronousQueue.poll", () -> new SynchronousQueue<>().poll(10, TimeUnit.SECONDS));
    waits.put(
        "SynchronousQueue.offer", () -> new SynchronousQueue<>().offer(1, 10, TimeUnit.SECONDS));
    waits.put(
        "LinkedTransferQueue.poll", () -> new LinkedTransferQueue<>().poll(10, TimeUnit.SECONDS));
    waits.put(
        "LinkedTransferQueue.tryTransfer",
        () -> new LinkedTransferQueue<>().tryTransfer(1, 10, TimeUnit.SECONDS));
    waits.put(
        "DelayQueue.take",
        () -> new DelayQueue<Due>(List.of(new Due(System.nanoTime() + TEN.toNanos()))).take());
    waits.put("Future.get", TimedWaits::getOfFuture);
    waits.put("CompletableFuture.get", TimedWaits::getOfCompletable);
    waits.put(
        "CompletableFuture.orTimeout",
        () ->
            new CompletableFuture<>()
                .orTimeout(10, TimeUnit.SECONDS)
                .exceptionally(e -> null)
                .join());
    waits.put(
        "CompletableFuture.completeOnTimeout",
        () -> new CompletableFuture<>().completeOnTimeout(1, 10, TimeUnit.SECONDS).join());
    waits.put(
        "CompletableFuture.delayedExecutor",
        () ->
            CompletableFuture.runAsync(
                    () -> {}, CompletableFuture.delayedExecutor(10, TimeUnit.SECONDS))
                .join());
    waits.put(
        "CompletableFuture.supplyAsync",
        () -> CompletableFuture.supplyAsync(TimedWaits::sleep).join());
    waits.put("ExecutorService.awaitTermination", TimedWaits::awaitTermination);
    waits.put("ExecutorService.invokeAny", TimedWaits::invokeAny);
    waits.put("ScheduledExecutorService.schedule", TimedWaits::schedule);
    waits.put("ScheduledExecutorService.atFixedRate", TimedWaits::fixedRate);
    waits.put("virtual threads", TimedWaits::virtualThreads);
    waits.put("Timer.schedule", TimedWaits::timer);
    waits.put(
        "ForkJoinPool.submit", () -> ForkJoinPool.commonPool().submit(TimedWaits::sleep).get());
    waits.put("ForkJoinPool of its own", TimedWaits::forkJoin);
    waits.put(
        "parallel stream",
        () -> java.util.stream.IntStream.range(0, 3).parallel().forEach(i -> sleep()));
    putThreads(waits);
    putSynchronizers(waits);
    putQueues(waits);
    putFutures(waits);
    return waits;
  }

  private static void putThreads(Map<String, Wait> waits) {
    waits.put("ReferenceQueue.remove", () -> new ReferenceQueue<>().remove(10_000));
    waits.put("Object.wait(ms, ns)", () -> onMonitor(() -> MONITOR.wait(10_000, 0)));
    waits.put("Thread.join(ms, ns)", () -> sleeper(20).join(10_000, 0));
    waits.put("TimeUnit.timedJoin", () -> SECONDS.timedJoin(sleeper(20), 10));
    waits.put("TimeUnit.timedWait", () -> onMonitor(() -> SECONDS.timedWait(MONITOR, 10)));
  }

  private static void putSynchronizers(Map<String, Wait> waits) {
    waits.put("Semaphore.tryAcquire(n)", () -> new Semaphore(1).tryAcquire(2, 10, SECONDS));
    waits.put("WriteLock.tryLock", TimedWaits::tryWriteLock);
    waits.put("ReadLock.tryLock", TimedWaits::tryReadLock);
    waits.put("StampedLock.tryReadLock", TimedWaits::tryStampedRead);
    waits.put(
        "ConditionObject.await", () -> onCondition(condition -> condition.await(10, SECONDS)));
    waits.put(
        "ConditionObject.awaitNanos",
        () -> onCondition(condition -> condition.awaitNanos(TEN.toNanos())));
    waits.put(
        "ConditionObject.awaitUntil",
        () -> onCondition(condition -> condition.awaitUntil(Date.from(Instant.now().plus(TEN)))));
    waits.put(
        "AbstractQueuedSynchronizer.tryAcquireNanos",
        () -> new NeverFree().tryAcquireNanos(1, TEN.toNanos()));
    waits.put(
        "AbstractQueuedSynchronizer.tryAcquireSharedNanos",
        () -> new NeverFree().tryAcquireSharedNanos(1, TEN.toNanos()));
    waits.put(
        "AbstractQueuedLongSynchronizer.tryAcquireNanos",
        () -> new NeverFreeLong().tryAcquireNanos(1, TEN.toNanos()));
    waits.put(
        "AbstractQueuedLongSynchronizer.tryAcquireSharedNanos",
        () -> new NeverFreeLong().tryAcquireSharedNanos(1, TEN.toNanos()));
    waits.put("Phaser.awaitAdvanceInterruptibly", TimedWaits::waitForPhase);
  }

  private static void putQueues(Map<String, Wait> waits) {
    waits.put("LinkedBlockingQueue.offer", () -> full(new LinkedBlockingQueue<>(1)));
    waits.put("LinkedBlockingDeque.offer", () -> full(new LinkedBlockingDeque<>(1)));
    waits.put(
        "LinkedBlockingDeque.offerFirst",
        () -> withOne(new LinkedBlockingDeque<>(1)).offerFirst(2, 10, SECONDS));
    waits.put(
        "LinkedBlockingDeque.offerLast",
        () -> withOne(new LinkedBlockingDeque<>(1)).offerLast(2, 10, SECONDS));
    waits.put(
        "LinkedBlockingDeque.pollFirst", () -> new LinkedBlockingDeque<>().pollFirst(10, SECONDS));
    waits.put(
        "LinkedBlockingDeque.pollLast", () -> new LinkedBlockingDeque<>().pollLast(10, SECONDS));
    waits.put("DelayQueue.poll", () -> new DelayQueue<Due>().poll(10, SECONDS));
    waits.put("SubmissionPublisher.offer", TimedWaits::publish);
  }

  private static void putFutures(Map<String, Wait> waits) {
    waits.put(
        "ExecutorCompletionService.poll",
        () -> new ExecutorCompletionService<>(ForkJoinPool.commonPool()).poll(10, SECONDS));
    waits.put("FutureTask.get", () -> getInTime(new FutureTask<>(() -> "")));
    waits.put("ForkJoinTask.get", () -> getInTime(ForkJoinTask.adapt(() -> {})));
    waits.put(
        "ForkJoinTask.quietlyJoin", () -> ForkJoinTask.adapt(() -> {}).quietlyJoin(10, SECONDS));
    for (String each : List.of("ForkJoinPool", "AbstractExecutorService")) {
      waits.put(each + ".invokeAll", () -> inPool(each, TimedWaits::invokeAll));
      waits.put(each + ".invokeAny", () -> inPool(each, TimedWaits::invokeAnyInTime));
    }
    waits.put("ThreadPoolExecutor.awaitTermination", () -> awaitEnd("ThreadPoolExecutor"));
    waits.put("ForkJoinPool.awaitTermination", () -> awaitEnd("ForkJoinPool"));
    waits.put(
        "ForkJoinPool.schedule",
        () -> ForkJoinPool.commonPool().schedule(() -> {}, 10, SECONDS).get());
  }

  private static void onMonitor(Wait wait) throws Exception {
    synchronized (MONITOR) {
      wait.run();
    }
  }

  private interface OnCondition {
    Object run(Condition condition) throws Exception;
  }

  private static void onCondition(OnCondition wait) throws Exception {
    var lock = new ReentrantLock();
    lock.lock();
    Object _ = wait.run(lock.newCondition());
  }

  private static final class NeverFree extends AbstractQueuedSynchronizer {
    @Override
    protected boolean tryAcquire(int arg) {
      return false;
    }

    @Override
    protected int tryAcquireShared(int arg) {
      return -1;
    }
  }

  private static final class NeverFreeLong extends AbstractQueuedLongSynchronizer {
    @Override
    protected boolean tryAcquire(long arg) {
      return false;
    }

    @Override
    protected long tryAcquireShared(long arg) {
      return -1;
    }
  }

  private static void tryWriteLock() throws InterruptedException {
    var lock = new ReentrantReadWriteLock();
    lock.readLock().lock();
    if (lock.writeLock().tryLock(10, SECONDS)) {
      throw new AssertionError();
    }
  }

  private static void tryStampedRead() throws InterruptedException {
    var lock = new StampedLock();
    lock.writeLock();
    if (lock.tryReadLock(10, SECONDS) != 0) {
      throw new AssertionError();
    }
  }

  private static void full(BlockingQueue<Integer> queue) throws InterruptedException {
    queue.add(1);
    if (queue.offer(2, 10, SECONDS)) {
      throw new AssertionError();
    }
  }

  private static LinkedBlockingDeque<Integer> withOne(LinkedBlockingDeque<Integer> queue) {
    queue.add(1);
    return queue;
  }

  private static void publish() {
    try (var publisher = new SubmissionPublisher<Integer>(Runnable::run, 1)) {
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {}

            @Override
            public void onNext(Integer item) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {}
          });
      while (publisher.estimateMinimumDemand() > -publisher.getMaxBufferCapacity()) {
        publisher.submit(1);
      }
      if (publisher.offer(2, 10, SECONDS, null) >= 0) {
        throw new AssertionError();
      }
    }
  }

  private static void getInTime(Future<?> future) throws Exception {
    try {
      future.get(10, SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private interface InPool {
    void run(ExecutorService pool) throws Exception;
  }

  private static ExecutorService poolOf(String type) {
    return type.equals("ForkJoinPool") ? new ForkJoinPool(2) : Executors.newFixedThreadPool(2);
  }

  private static void inPool(String type, InPool wait) throws Exception {
    ExecutorService pool = poolOf(type);
    wait.run(pool);
    pool.shutdownNow();
  }

  private static void invokeAll(ExecutorService pool) throws InterruptedException {
    pool.invokeAll(List.of(TimedWaits::sleepLong, TimedWaits::sleepLong), 10, SECONDS);
  }

  private static void invokeAnyInTime(ExecutorService pool) throws Exception {
    try {
      pool.invokeAny(List.of(TimedWaits::sleepLong, TimedWaits::sleepLong), 10, SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private static Object sleepLong() throws InterruptedException {
    Thread.sleep(TEN.multipliedBy(2));
    return "";
  }

  private static void awaitEnd(String type) throws InterruptedException {
    ExecutorService pool = poolOf(type);
    pool.submit(TimedWaits::sleepLong);
    pool.shutdown();
    if (pool.awaitTermination(10, SECONDS)) {
      throw new AssertionError();
    }
    pool.shutdownNow();
  }

  private record Due(long at) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }

  private static Object sleep() {
    try {
      Thread.sleep(TEN);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "";
  }

  private static Thread sleeper(int seconds) {
    var thread =
        new Thread(() -> {
          try {
            Thread.sleep(Duration.ofSeconds(seconds));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    thread.start();
    return thread;
  }

  private static void waitOnMonitor() throws InterruptedException {
    synchronized (MONITOR) {
      MONITOR.wait(10_000);
    }
  }

  private static void waitAtBarrier() throws Exception {
    try {
      new CyclicBarrier(2).await(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private static void waitForPhase() throws Exception {
    try {
      new Phaser(1).awaitAdvanceInterruptibly(0, 10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private static void exchange() throws Exception {
    try {
      new Exchanger<String>().exchange("", 10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private static void tryLock() throws InterruptedException {
    var lock = new ReentrantLock();
    var held = new CountDownLatch(1);
    new Thread(
            () -> {
              lock.lock();
              held.countDown();
              LockSupport.park();
            })
        .start();
    held.await();
    if (lock.tryLock(10, TimeUnit.SECONDS)) {
      throw new AssertionError();
    }
  }

  private static void tryReadLock() throws InterruptedException {
    var lock = new ReentrantReadWriteLock();
    var held = new CountDownLatch(1);
    new Thread(
            () -> {
              lock.writeLock().lock();
              held.countDown();
              LockSupport.park();
            })
        .start();
    held.await();
    if (lock.readLock().tryLock(10, TimeUnit.SECONDS)) {
      throw new AssertionError();
    }
  }

  private static void tryStamped() throws InterruptedException {
    var lock = new StampedLock();
    lock.readLock();
    if (lock.tryWriteLock(10, TimeUnit.SECONDS) != 0) {
      throw new AssertionError();
    }
  }

  private static void offerToFull() throws InterruptedException {
    var queue = new ArrayBlockingQueue<Integer>(1);
    queue.add(1);
    queue.offer(2, 10, TimeUnit.SECONDS);
  }

  private static void getOfFuture() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Future<?> future = pool.submit(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS));
    try {
      future.get(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      pool.shutdownNow();
      return;
    }
    throw new AssertionError();
  }

  private static void getOfCompletable() throws Exception {
    try {
      new CompletableFuture<>().get(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new AssertionError();
  }

  private static void awaitTermination() throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    pool.submit(TimedWaits::sleep);
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.HOURS)) {
      throw new AssertionError();
    }
  }

  private static void invokeAny() throws Exception {
    try (ExecutorService pool = Executors.newCachedThreadPool()) {
      pool.invokeAny(List.of(TimedWaits::sleep, TimedWaits::sleep));
    }
  }

  private static void schedule() throws Exception {
    try (ScheduledExecutorService pool = Executors.newScheduledThreadPool(1)) {
      pool.schedule(() -> {}, 10, TimeUnit.SECONDS).get();
    }
  }

  private static void fixedRate() throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    var ticks = new CountDownLatch(5);
    pool.scheduleAtFixedRate(ticks::countDown, 2, 2, TimeUnit.SECONDS);
    ticks.await();
    pool.shutdownNow();
  }

  private static void virtualThreads() throws Exception {
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5; i++) {
        pool.submit(TimedWaits::sleep);
      }
    }
  }

  private static void timer() throws InterruptedException {
    var timer = new Timer("timer", true);
    var rung = new CountDownLatch(1);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            rung.countDown();
          }
        },
        10_000);
    rung.await();
    timer.cancel();
  }

  private static void forkJoin() {
    try (var pool = new ForkJoinPool(2)) {
      pool.submit(TimedWaits::sleep).join();
    }
  }
}
