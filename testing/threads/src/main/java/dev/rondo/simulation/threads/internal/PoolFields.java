package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.ThreadFields.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Hidden fields of the JDK's pools and synchronizers that refer to threads. The agent opens their
/// packages.
final class PoolFields {

  private static final VarHandle HOLDER;
  private static final VarHandle LOCK;
  private static final VarHandle WORKERS;
  private static final VarHandle WORKER_THREAD;
  private static final VarHandle QUEUES;
  private static final VarHandle OWNER;
  private static final VarHandle PHASER;
  private static final Class<?> PHASER_NODE;
  private static final Class<?> FUTURE_NODE;
  private static final ForkJoinPool COMMON;

  static {
    try {
      HOLDER = field(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class);
      LOCK = field(ThreadPoolExecutor.class, "mainLock", ReentrantLock.class);
      WORKERS = field(ThreadPoolExecutor.class, "workers", HashSet.class);
      Class<?> worker = Class.forName(ThreadPoolExecutor.class.getName() + "$Worker");
      WORKER_THREAD = field(worker, "thread", Thread.class);
      Class<?> queue = Class.forName(ForkJoinPool.class.getName() + "$WorkQueue");
      QUEUES = field(ForkJoinPool.class, "queues", queue.arrayType());
      OWNER = field(queue, "owner", ForkJoinWorkerThread.class);
      PHASER_NODE = Class.forName(Phaser.class.getName() + "$QNode");
      PHASER = field(PHASER_NODE, "phaser", Phaser.class);
      FUTURE_NODE = Class.forName("java.util.concurrent.CompletableFuture$Signaller");
      COMMON =
          (ForkJoinPool)
              MethodHandles.privateLookupIn(ForkJoinPool.class, MethodHandles.lookup())
                  .findStaticVarHandle(ForkJoinPool.class, "common", ForkJoinPool.class)
                  .get();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private PoolFields() {}

  /// Looks all of them up.
  ///
  /// @throws ExceptionInInitializerError if this JDK lacks one; the cause names it
  static void find() {
    // by the initialiser
  }

  /// {@return the thread that holds a lock; null if none does, or it is no lock}
  static @Nullable Thread holderOf(Object lock) {
    return lock instanceof AbstractOwnableSynchronizer ? (Thread) HOLDER.get(lock) : null;
  }

  /// {@return what a thread waits for; null if that is not known}
  ///
  /// @param blocker what it is parked on
  static @Nullable Object awaited(@Nullable Object blocker) {
    if (PHASER_NODE.isInstance(blocker)) {
      return ((Phaser) PHASER.get(blocker)).getRoot(); // which releases those of all its phasers
    }
    return FUTURE_NODE.isInstance(blocker) ? null : blocker;
  }

  /// {@return the threads of a pool}
  static List<Thread> threadsOf(ThreadPoolExecutor pool) {
    var threads = new ArrayList<Thread>();
    var lock = (ReentrantLock) LOCK.get(pool);
    lock.lock();
    try {
      for (Object each : (Set<?>) (HashSet<?>) WORKERS.get(pool)) {
        threads.add((Thread) WORKER_THREAD.get(each));
      }
    } finally {
      lock.unlock();
    }
    return threads;
  }

  /// {@return the threads of a pool}
  static List<Thread> threadsOf(ForkJoinPool pool) {
    var threads = new ArrayList<Thread>();
    Object queues = QUEUES.getVolatile(pool);
    int count = queues == null ? 0 : Array.getLength(queues);
    for (int i = 0; i < count; i++) {
      Object queue = Array.get(queues, i);
      Thread owner = queue == null ? null : (Thread) OWNER.get(queue);
      if (owner != null) {
        threads.add(owner);
      }
    }
    return threads;
  }

  /// {@return whether a pool is the common one of the JVM}
  static boolean isCommon(ForkJoinPool pool) {
    return pool == COMMON;
  }
}
