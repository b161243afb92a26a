package com.acme.threads;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.Vector;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;

/// Ways in which a thread hands over what it has written to another one. No run fails by itself.
@SuppressWarnings({"ImmutableEnumChecker", "LockNotBeforeTry", "UnusedVariable"}) // as they come
public enum Handover {
  MONITOR(() ->
      new Way() {
        private boolean is;

        @Override
        void tell() {
          synchronized (this) {
            is = true;
          }
        }

        @Override
        void hear() {
          while (true) {
            synchronized (this) {
              if (is) {
                is = false;
                return;
              }
            }
            Thread.yield();
          }
        }
      }),

  SYNCHRONIZED_METHOD(() ->
      new Way() {
        private boolean is;

        @Override
        synchronized void tell() {
          is = true;
        }

        private synchronized void require() {
          if (!is) {
            throw new IllegalStateException("not yet");
          }
          is = false;
        }

        @Override
        void hear() {
          while (true) {
            try {
              require();
              return;
            } catch (IllegalStateException e) {
              Thread.yield();
            }
          }
        }
      }),

  THROWING_METHOD(() ->
      new Way() {
        private boolean is;

        private synchronized void fail() {
          is = true;
          throw new IllegalStateException("told");
        }

        @Override
        void tell() {
          try {
            fail();
          } catch (IllegalStateException e) {
            // by which it has left the monitor
          }
        }

        @Override
        void hear() {
          while (true) {
            synchronized (this) {
              if (is) {
                is = false;
                return;
              }
            }
            Thread.yield();
          }
        }
      }),

  NOTIFICATION(() ->
      new Way() {
        private boolean is;

        @Override
        synchronized void tell() {
          is = true;
          notifyAll();
        }

        @Override
        synchronized void hear() throws InterruptedException {
          while (!is) {
            wait();
          }
          is = false;
        }
      }),

  VOLATILE(() ->
      new Way() {
        private volatile boolean is;

        @Override
        void tell() {
          is = true;
        }

        @Override
        void hear() {
          while (!is) {
            Thread.yield();
          }
          is = false;
        }
      }),

  ATOMIC(() ->
      new Way() {
        private final AtomicBoolean is = new AtomicBoolean();

        @Override
        void tell() {
          is.set(true);
        }

        @Override
        void hear() {
          while (!is.compareAndSet(true, false)) {
            Thread.yield();
          }
        }
      }),

  ATOMIC_ARRAY(() ->
      new Way() {
        private final AtomicIntegerArray is = new AtomicIntegerArray(2);

        @Override
        void tell() {
          int _ = is.incrementAndGet(1);
        }

        @Override
        void hear() {
          while (!is.compareAndSet(1, 1, 0)) {
            Thread.yield();
          }
        }
      }),

  ADDER(() ->
      new Way() {
        private final LongAdder is = new LongAdder();

        @Override
        void tell() {
          is.increment();
        }

        @Override
        void hear() {
          while (is.sum() == 0) {
            Thread.yield();
          }
          is.reset();
        }
      }),

  FIELD_UPDATER(() ->
      new Way() {
        private final Flag flag = new Flag();

        @Override
        void tell() {
          Flag.UPDATER.set(flag, 1);
        }

        @Override
        void hear() {
          while (!Flag.UPDATER.compareAndSet(flag, 1, 0)) {
            Thread.yield();
          }
        }
      }),

  VAR_HANDLE(() ->
      new Way() {
        private final Flag flag = new Flag();

        @Override
        void tell() {
          Flag.HANDLE.setRelease(flag, 1);
        }

        @Override
        void hear() {
          while ((int) Flag.HANDLE.getAcquire(flag) == 0) {
            Thread.yield();
          }
          Flag.HANDLE.setVolatile(flag, 0);
        }
      }),

  LOCK(() ->
      new Way() {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition told = lock.newCondition();
        private boolean is;

        @Override
        void tell() {
          lock.lock();
          try {
            is = true;
            told.signal();
          } finally {
            lock.unlock();
          }
        }

        @Override
        void hear() throws InterruptedException {
          lock.lock();
          try {
            while (!is) {
              told.await();
            }
            is = false;
          } finally {
            lock.unlock();
          }
        }
      }),

  READ_LOCK(() ->
      new Way() {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private boolean is;

        @Override
        void tell() {
          lock.writeLock().lock();
          is = true;
          lock.writeLock().unlock();
        }

        @Override
        void hear() {
          boolean seen = false;
          while (!seen) {
            Thread.yield();
            lock.readLock().lock();
            seen = is;
            lock.readLock().unlock();
          }
          lock.writeLock().lock();
          is = false;
          lock.writeLock().unlock();
        }
      }),

  STAMPED_LOCK(() ->
      new Way() {
        private final StampedLock lock = new StampedLock();
        private boolean is;

        @Override
        void tell() {
          long stamp = lock.writeLock();
          is = true;
          lock.unlockWrite(stamp);
        }

        @Override
        void hear() {
          boolean seen = false;
          while (!seen) {
            Thread.yield();
            long stamp = lock.readLock();
            seen = is;
            lock.unlockRead(stamp);
          }
          long stamp = lock.writeLock();
          is = false;
          lock.unlockWrite(stamp);
        }
      }),

  LATCH(() ->
      new Way() {
        private final CountDownLatch latch = new CountDownLatch(1);

        @Override
        void tell() {
          latch.countDown();
        }

        @Override
        void hear() throws InterruptedException {
          latch.await();
        }
      }),

  SEMAPHORE(() ->
      new Way() {
        private final Semaphore semaphore = new Semaphore(0);

        @Override
        void tell() {
          semaphore.release();
        }

        @Override
        void hear() throws InterruptedException {
          semaphore.acquire();
        }
      }),

  BARRIER(() ->
      new Way() {
        private final CyclicBarrier barrier = new CyclicBarrier(2);

        @Override
        void tell() throws InterruptedException {
          hear();
        }

        @Override
        void hear() throws InterruptedException {
          try {
            int _ = barrier.await();
          } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
          }
        }
      }),

  PHASER(() ->
      new Way() {
        private final Phaser phaser = new Phaser(2);

        @Override
        void tell() {
          int _ = phaser.arrive();
        }

        @Override
        void hear() {
          int _ = phaser.arriveAndAwaitAdvance();
        }
      }),

  EXCHANGER(() ->
      new Way() {
        private final Exchanger<String> exchanger = new Exchanger<>();

        @Override
        void tell() throws InterruptedException {
          String _ = exchanger.exchange("told");
        }

        @Override
        void hear() throws InterruptedException {
          String _ = exchanger.exchange("heard");
        }
      }),

  BLOCKING_QUEUE(() ->
      new Way() {
        private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();

        @Override
        void tell() throws InterruptedException {
          queue.put("told");
        }

        @Override
        void hear() throws InterruptedException {
          String _ = queue.take();
        }
      }),

  SYNCHRONOUS_QUEUE(() ->
      new Way() {
        private final SynchronousQueue<String> queue = new SynchronousQueue<>();

        @Override
        void tell() throws InterruptedException {
          queue.put("told");
        }

        @Override
        void hear() throws InterruptedException {
          String _ = queue.take();
        }
      }),

  CONCURRENT_QUEUE(() ->
      new Way() {
        private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();

        @Override
        void tell() {
          boolean _ = queue.add("told");
        }

        @Override
        void hear() {
          while (queue.poll() == null) {
            Thread.yield();
          }
        }
      }),

  CONCURRENT_MAP(() ->
      new Way() {
        private final Map<String, String> map = new ConcurrentHashMap<>();

        @Override
        void tell() {
          map.put("key", "told");
        }

        @Override
        void hear() {
          while (map.remove("key") == null) {
            Thread.yield();
          }
        }
      }),

  SKIP_LIST(() ->
      new Way() {
        private final Map<String, String> map = new ConcurrentSkipListMap<>();

        @Override
        void tell() {
          map.put("key", "told");
        }

        @Override
        void hear() {
          while (map.get("key") == null) {
            Thread.yield();
          }
          map.remove("key");
        }
      }),

  SYNCHRONIZED_MAP(() ->
      new Way() {
        private final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

        @Override
        void tell() {
          map.put("key", "told");
        }

        @Override
        void hear() {
          while (map.remove("key") == null) {
            Thread.yield();
          }
        }
      }),

  VECTOR(() ->
      new Way() {
        @SuppressWarnings("JdkObsolete") // which programs have
        private final Vector<String> vector = new Vector<>();

        @Override
        void tell() {
          vector.add("told");
        }

        @Override
        void hear() {
          while (!vector.remove("told")) {
            Thread.yield();
          }
        }
      }),

  FUTURE(() ->
      new Way() {
        private final CompletableFuture<String> future = new CompletableFuture<>();

        @Override
        void tell() {
          future.complete("told");
        }

        @Override
        void hear() {
          String _ = future.thenApply(told -> told + "!").join();
        }
      }),

  /// The thread that hears is interrupted.
  INTERRUPT(() ->
      new Way() {
        private volatile Thread hearer = null;

        @Override
        void tell() throws InterruptedException {
          while (hearer == null) {
            Thread.sleep(1);
          }
          hearer.interrupt();
        }

        @Override
        void hear() {
          hearer = Thread.currentThread();
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            hearer = null;
          }
        }
      });

  /// One handover.
  private abstract static class Way {
    abstract void tell() throws InterruptedException;

    abstract void hear() throws InterruptedException;
  }

  private final Supplier<Way> ways;

  Handover(Supplier<Way> ways) {
    this.ways = ways;
  }

  private static final class Flag {
    static final AtomicIntegerFieldUpdater<Flag> UPDATER =
        AtomicIntegerFieldUpdater.newUpdater(Flag.class, "is");
    static final VarHandle HANDLE = handle();
    volatile int is;

    private static VarHandle handle() {
      try {
        return MethodHandles.lookup().findVarHandle(Flag.class, "is", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }

  private static final class Data {
    private int value;
    private final List<String> list = new ArrayList<>();
    private final int[] array = new int[2];

    void write() {
      value = 1;
      list.add("written");
      array[1] = 2;
    }

    void read() {
      if (value + list.size() + array[1] > 9) {
        throw new AssertionError("what nobody has written");
      }
    }
  }

  /// Has one thread write and another one read.
  ///
  /// @param late whether it writes after it has told
  public void start(boolean late) throws InterruptedException {
    Way way = ways.get();
    var data = new Data();
    Thread teller =
        thread(
            "teller",
            () -> {
              if (!late) {
                data.write();
              }
              way.tell();
              if (late) {
                data.write();
              }
            });
    Thread hearer =
        thread(
            "hearer",
            () -> {
              way.hear();
              data.read();
            });
    teller.start();
    hearer.start();
    teller.join();
    hearer.join();
    data.read();
  }

  /// Has executors and threads hand over what a thread has written, and what they have.
  public static void executors() throws InterruptedException, ExecutionException {
    for (int i = 0; i < 2; i++) {
      var data = new Data();
      try (var pool = Executors.newFixedThreadPool(2)) {
        data.write();
        pool.submit(data::read).get();
        pool.submit(data::write).get();
        data.read();
        pool.execute(data::write);
      }
      data.read();
    }
    var timed = new Data();
    try (var pool = Executors.newScheduledThreadPool(1)) {
      pool.schedule(timed::write, 1, TimeUnit.SECONDS).get();
      timed.read();
    }
    var forked = new Data();
    ForkJoinPool.commonPool().submit(forked::write).join();
    forked.read();
    CompletableFuture.runAsync(forked::write).thenRunAsync(forked::read).join();
    try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
      each.submit(forked::write).get();
      forked.read();
    }
    var told = new Data();
    var timer = new Timer();
    var latch = new CountDownLatch(1);
    told.write();
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            told.write();
            latch.countDown();
          }
        },
        10);
    latch.await();
    told.read();
    timer.cancel();
    int _ = ThreadLocalRandom.current().nextInt();
    int _ = new DelayQueue<>().size();
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  private static Thread thread(String name, Body body) {
    return new Thread(
        () -> {
          try {
            body.run();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        name);
  }
}
