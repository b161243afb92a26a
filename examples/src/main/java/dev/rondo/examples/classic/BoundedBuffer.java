package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Fast producers and slow consumers with a buffer between them. A producer waits while the buffer
/// is full, nothing is lost, and closing the buffer ends the consumers.
public final class BoundedBuffer {

  private static final int CAPACITY = 4;
  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 2;
  private static final int EACH = 10;

  private final Application app;
  private final Channel<Integer> buffer;
  private int fullest;

  BoundedBuffer(Application app) {
    this.app = app;
    this.buffer = Channel.<Integer>bounded(app.scheduler(), CAPACITY).named("buffer");
  }

  static void main() {
    Application.run(app -> {
      var program = new BoundedBuffer(app);
      IO.println(
          "the consumed numbers add up to "
              + program.run()
              + "; at most "
              + program.fullest
              + " were waiting");
    });
  }

  /// {@return the sum of all consumed numbers}
  int run() {
    List<Task<Void>> producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      producers.add(app.spawn("producer " + i, this::produce));
    }
    List<Task<Integer>> consumers = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      consumers.add(app.spawn("consumer " + i, this::consume));
    }
    producers.forEach(Task::join);
    buffer.close(); // its elements are still received
    return consumers.stream().mapToInt(Task::join).sum();
  }

  private void produce() {
    for (int i = 1; i <= EACH; i++) {
      buffer.send(i); // waits while it is full
      fullest = Math.max(fullest, buffer.size());
    }
  }

  private int consume() {
    int sum = 0;
    for (int each : buffer) { // waits while it is empty, ends when it is closed
      app.sleep(Duration.ofMillis(5));
      sum += each;
    }
    return sum;
  }

  int fullest() {
    return fullest;
  }
}
