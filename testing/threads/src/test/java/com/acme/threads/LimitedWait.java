package com.acme.threads;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/// A wait of ten seconds, and what another thread does to end it. For one wait.
public abstract class LimitedWait {

  private static final int SECONDS = 10;

  /// For what it waits.
  public enum Kind {
    LATCH {
      @Override
      public LimitedWait make() {
        var latch = new CountDownLatch(1);
        return of(() -> latch.await(SECONDS, TimeUnit.SECONDS), latch::countDown);
      }
    },
    SEMAPHORE {
      @Override
      public LimitedWait make() {
        var semaphore = new Semaphore(0);
        return of(() -> semaphore.tryAcquire(SECONDS, TimeUnit.SECONDS), semaphore::release);
      }
    },
    BARRIER {
      @Override
      public LimitedWait make() {
        var barrier = new CyclicBarrier(2);
        return of(
            () -> inVain(() -> barrier.await(SECONDS, TimeUnit.SECONDS)),
            () -> inVain(() -> barrier.await(1, TimeUnit.NANOSECONDS)));
      }
    },
    PHASER {
      @Override
      public LimitedWait make() {
        var phaser = new Phaser(2);
        return of(
            () ->
                inVain(() ->
                    phaser.awaitAdvanceInterruptibly(phaser.arrive(), SECONDS, TimeUnit.SECONDS)),
            phaser::arrive);
      }
    },
    PHASER_OF_PHASERS {
      @Override
      public LimitedWait make() {
        var root = new Phaser();
        var first = new Phaser(root, 1);
        var second = new Phaser(root, 1);
        return of(
            () ->
                inVain(() ->
                    first.awaitAdvanceInterruptibly(first.arrive(), SECONDS, TimeUnit.SECONDS)),
            second::arrive);
      }
    },
    EXCHANGER {
      @Override
      public LimitedWait make() {
        var exchanger = new Exchanger<Integer>();
        return of(
            () -> inVain(() -> exchanger.exchange(1, SECONDS, TimeUnit.SECONDS)),
            () -> inVain(() -> exchanger.exchange(2, 1, TimeUnit.NANOSECONDS)));
      }
    },
    QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new LinkedBlockingQueue<>());
      }
    },
    ARRAY_QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new ArrayBlockingQueue<>(1));
      }
    },
    DEQUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new LinkedBlockingDeque<>());
      }
    },
    PRIORITY_QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new PriorityBlockingQueue<>());
      }
    },
    TRANSFER_QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new LinkedTransferQueue<>());
      }
    },
    TRANSFER {
      @Override
      public LimitedWait make() {
        var queue = new LinkedTransferQueue<Integer>();
        return of(() -> queue.tryTransfer(1, SECONDS, TimeUnit.SECONDS), queue::poll);
      }
    },
    SYNCHRONOUS_QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new SynchronousQueue<>());
      }
    },
    FAIR_SYNCHRONOUS_QUEUE {
      @Override
      public LimitedWait make() {
        return ofQueue(new SynchronousQueue<>(true));
      }
    },
    MUTEX {
      @Override
      public LimitedWait make() {
        var mutex = new Mutex();
        mutex.acquire(1);
        return of(
            () -> mutex.tryAcquireNanos(1, TimeUnit.SECONDS.toNanos(SECONDS)),
            () -> mutex.release(1));
      }
    },
    LONG_MUTEX {
      @Override
      public LimitedWait make() {
        var mutex = new LongMutex();
        mutex.acquireShared(1);
        return of(
            () -> mutex.tryAcquireSharedNanos(1, TimeUnit.SECONDS.toNanos(SECONDS)),
            () -> mutex.releaseShared(1));
      }
    },
    STAMPED_FOR_READING {
      @Override
      public LimitedWait make() {
        var lock = new StampedLock();
        long stamp = lock.writeLock();
        return of(() -> lock.tryReadLock(SECONDS, TimeUnit.SECONDS), () -> lock.unlockWrite(stamp));
      }
    },
    STAMPED_FOR_WRITING {
      @Override
      public LimitedWait make() {
        var lock = new StampedLock();
        long stamp = lock.readLock();
        return of(() -> lock.tryWriteLock(SECONDS, TimeUnit.SECONDS), () -> lock.unlockRead(stamp));
      }
    },
    STAMPED_VIEW {
      @Override
      public LimitedWait make() {
        Lock lock = new StampedLock().asReadWriteLock().writeLock();
        lock.lock();
        return of(() -> lock.tryLock(SECONDS, TimeUnit.SECONDS), lock::unlock);
      }
    },
    TASK {
      @Override
      public LimitedWait make() {
        var task = new FutureTask<>(() -> 1);
        return of(() -> get(task), task);
      }
    },
    CANCELLED_TASK {
      @Override
      public LimitedWait make() {
        var task = new FutureTask<>(() -> 1);
        return of(
            () -> {
              get(task);
              boolean _ = task.cancel(true);
            },
            task);
      }
    },
    FORKED_TASK {
      @Override
      public LimitedWait make() {
        ForkJoinTask<Integer> task = ForkJoinTask.adapt(() -> 1);
        return of(() -> get(task), task::quietlyInvoke);
      }
    },
    FUTURE {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        return of(() -> get(future), () -> future.complete(1));
      }
    },
    FUTURE_THAT_FOLLOWS {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        var next = future.thenApply(each -> each + 1).thenAccept(_ -> {});
        return of(() -> get(next), () -> future.complete(1));
      }
    },
    OR_TIMEOUT {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        return of(
            () -> inVain(future.orTimeout(SECONDS, TimeUnit.SECONDS)::join),
            () -> future.complete(1));
      }
    },
    OR_TIMEOUT_THAT_FOLLOWS {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        var next = future.thenApply(each -> each + 1);
        return of(
            () -> inVain(next.orTimeout(SECONDS, TimeUnit.SECONDS)::join),
            () -> future.complete(1));
      }
    },
    COMPLETE_ON_TIMEOUT {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        return of(
            () -> {
              int _ = future.completeOnTimeout(0, SECONDS, TimeUnit.SECONDS).join();
            },
            () -> future.complete(1));
      }
    },
    PUBLISHER {
      @Override
      public LimitedWait make() {
        return new OfPublisher();
      }
    },
    MONITOR {
      @Override
      public LimitedWait make() {
        return new OfMonitor();
      }
    };

    /// {@return what the stack of the thread has that notices the limit}
    public String waiter() {
      return name().contains("TIMEOUT") ? "CompletableFuture$Timeout.run" : "LimitedWait";
    }

    /// {@return one that has not begun}
    public abstract LimitedWait make();
  }

  private interface Code {
    void run() throws Exception;
  }

  private static LimitedWait of(Code wait, Runnable release) {
    return new LimitedWait() {
      @Override
      public void await() throws Exception {
        wait.run();
      }

      @Override
      public void release() {
        release.run();
      }
    };
  }

  private static LimitedWait ofQueue(BlockingQueue<Integer> queue) {
    return of(
        () -> {
          Object _ = queue.poll(SECONDS, TimeUnit.SECONDS);
        },
        () -> {
          boolean _ = queue.offer(1);
        });
  }

  private static void get(Future<?> future) {
    inVain(() -> future.get(SECONDS, TimeUnit.SECONDS));
  }

  /// Makes a call that fails if its limit is over.
  private static void inVain(Callable<?> call) {
    try {
      Object _ = call.call();
    } catch (TimeoutException | BrokenBarrierException | CompletionException _) {
      return;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /// Does not know who holds it.
  private static final class Mutex extends AbstractQueuedSynchronizer {

    @Override
    protected boolean tryAcquire(int count) {
      return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int count) {
      setState(0);
      return true;
    }
  }

  private static final class LongMutex extends AbstractQueuedLongSynchronizer {

    @Override
    protected long tryAcquireShared(long count) {
      return compareAndSetState(0, 1) ? 0 : -1;
    }

    @Override
    protected boolean tryReleaseShared(long count) {
      setState(0);
      return true;
    }
  }

  /// One whose only subscriber has no room.
  private static final class OfPublisher extends LimitedWait implements Flow.Subscriber<Integer> {

    private final SubmissionPublisher<Integer> publisher =
        new SubmissionPublisher<>(Runnable::run, 1);
    private Flow.Subscription subscription;

    OfPublisher() {
      publisher.subscribe(this);
      int _ = publisher.offer(1, null);
    }

    @Override
    public void await() {
      int _ = publisher.offer(2, SECONDS, TimeUnit.SECONDS, null);
    }

    @Override
    public void release() {
      subscription.request(2);
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
      subscription = made;
    }

    @Override
    public void onNext(Integer item) {
      // is enough
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException(failure);
    }

    @Override
    public void onComplete() {
      // has no end
    }
  }

  private static final class OfMonitor extends LimitedWait {

    private boolean released;

    @Override
    public synchronized void await() throws InterruptedException {
      long end = System.currentTimeMillis() + SECONDS * 1_000L;
      for (long left = SECONDS * 1_000L; left > 0 && !released; ) {
        wait(left);
        left = end - System.currentTimeMillis();
      }
    }

    @Override
    public synchronized void release() {
      released = true;
      notifyAll();
    }
  }

  /// Waits for a lock, in vain.
  public static void tryLock(Lock lock) {
    inVain(() -> lock.tryLock(SECONDS, TimeUnit.SECONDS));
  }

  /// Takes a lock and lets go of it.
  public static void passThrough(Lock lock) {
    lock.lock();
    try {
      Thread.onSpinWait();
    } finally {
      lock.unlock();
    }
  }

  /// {@return whether a thread has ended in time}
  public static boolean join(Thread thread) {
    inVain(() -> thread.join(Duration.ofSeconds(SECONDS)));
    return !thread.isAlive();
  }

  /// Waits.
  public abstract void await() throws Exception;

  /// Ends the wait.
  public abstract void release();

  /// Waits up to the limit, and is released too late by a thread of its own.
  public void awaitInVain() throws Exception {
    await();
    var late = new Thread(this::release);
    late.start();
    late.join();
  }

  /// Waits, and is released in time by a thread of its own.
  public void awaitRelease() throws Exception {
    var other =
        new Thread(() -> {
          try {
            Thread.sleep(Duration.ofSeconds(1));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          release();
        });
    other.start();
    await();
    other.join();
  }
}
