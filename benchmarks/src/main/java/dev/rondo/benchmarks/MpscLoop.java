package dev.rondo.benchmarks;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscUnboundedArrayQueue;

/// The limit of passing commands to another thread: a JCTools queue for many producers, polled by a
/// thread that parks when the queue is empty.
final class MpscLoop implements Executor, AutoCloseable {

  private static final int CHUNK = 1_024;

  private final MpscUnboundedArrayQueue<Runnable> queue = new MpscUnboundedArrayQueue<>(CHUNK);
  private final Thread thread = Thread.ofPlatform().daemon().start(this::run);

  /// Written by the loop before its last look at the queue, and by a thread that wakes it.
  private volatile boolean sleeping;

  private volatile boolean closed;

  @Override
  public void execute(Runnable command) {
    queue.offer(command);
    if (sleeping) {
      sleeping = false;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      for (Runnable next; (next = queue.relaxedPoll()) != null; ) {
        next.run();
      }
      sleeping = true;
      if (queue.isEmpty()) {
        LockSupport.park(this);
      }
      sleeping = false;
    }
  }

  @Override
  public void close() {
    execute(() -> closed = true);
  }
}
