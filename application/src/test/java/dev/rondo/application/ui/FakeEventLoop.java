package dev.rondo.application.ui;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// An event loop that runs when the test says so, on the thread that made it.
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

  /// How many applications it is held for.
  int holds() {
    return holds;
  }

  /// It takes no more events.
  void end() {
    ended = true;
  }

  int posted() {
    return events.size();
  }

  /// How many events there were at a time.
  int most() {
    return most;
  }

  /// Runs the next event, as listeners of the toolkit are: under no other.
  boolean runOne() {
    most = Math.max(most, events.size());
    Runnable event = events.poll();
    if (event != null) {
      event.run();
    }
    return event != null;
  }

  /// Runs events until none is there.
  void run() {
    while (runOne()) {
      // the next
    }
  }

  /// A nested event loop, as a modal dialog has.
  void runUntil(BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      if (!runOne()) {
        throw new AssertionError("the nested event loop has nothing to do, and is not over");
      }
    }
  }
}
