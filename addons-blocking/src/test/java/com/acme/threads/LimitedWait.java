package com.acme.threads;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
    QUEUE {
      @Override
      public LimitedWait make() {
        var queue = new LinkedBlockingQueue<Integer>();
        return of(() -> queue.poll(SECONDS, TimeUnit.SECONDS), () -> queue.add(1));
      }
    },
    TASK {
      @Override
      public LimitedWait make() {
        var task = new FutureTask<>(() -> 1);
        return of(() -> get(task), task);
      }
    },
    FUTURE {
      @Override
      public LimitedWait make() {
        var future = new CompletableFuture<Integer>();
        return of(() -> get(future), () -> future.complete(1));
      }
    },
    MONITOR {
      @Override
      public LimitedWait make() {
        return new OfMonitor();
      }
    };

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

  private static void get(Future<?> future) throws Exception {
    try {
      Object _ = future.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      return;
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
