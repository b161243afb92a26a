package dev.rondo.ui;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// An event loop that runs on demand, on the thread that made it.
final class FakeEventLoop implements EventLoop {

  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
  private final Thread uiThread = Thread.currentThread();
  private volatile boolean ended;
  private int holds;
  private int most;

  @Override
  public void post(Runnable event) {
    if (ended) {
      throw new IllegalStateException("the toolkit has ended");
    }
    events.add(event);
  }

  @Override
  public boolean isUiThread() {
    return Thread.currentThread() == uiThread;
  }

  @Override
  public void hold() {
    holds++;
  }

  @Override
  public void release() {
    holds--;
  }

  /// {@return for how many applications it is held}
  int holds() {
    return holds;
  }

  /// Ends the loop: it takes no more events.
  void end() {
    ended = true;
  }

  int posted() {
    return events.size();
  }

  /// {@return the most events that were queued at a time}
  int most() {
    return most;
  }

  /// Runs an event as the toolkit runs a listener: not within another event.
  boolean runOne() {
    most = Math.max(most, events.size());
    Runnable event = events.poll();
    if (event != null) {
      event.run();
    }
    return event != null;
  }

  /// Runs events until none is left.
  void run() {
    while (runOne()) {
      // and the next event
    }
  }

  /// Runs a nested event loop, as a modal dialog does.
  void runUntil(BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      if (!runOne()) {
        throw new AssertionError("the nested event loop has nothing to do, and is not over");
      }
    }
  }
}
