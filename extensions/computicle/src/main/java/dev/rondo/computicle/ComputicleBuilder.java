package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Configures a [Computicle]. Not thread-safe. For one computicle.
public final class ComputicleBuilder {

  private static final int DEFAULT_CAPACITY = 256;

  final String name;
  final ApplicationBuilder application = Application.builder();
  int capacity = DEFAULT_CAPACITY;
  Duration grace = Duration.ofSeconds(10);
  Runnable whenEnded = () -> {};

  ComputicleBuilder(String name) {
    this.name = requireNonNull(name, "name is null");
  }

  /// Sets how many messages the mailbox holds. The default is 256; 0 makes senders wait until a
  /// task receives.
  ///
  /// @param capacity at least 0
  /// @return this builder
  /// @throws IllegalArgumentException if it is below 0
  public ComputicleBuilder mailbox(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must be at least 0, but is " + capacity);
    }
    this.capacity = capacity;
    return this;
  }

  /// Sets how long its tasks may go on when it is closed, or its parent ends, before they are
  /// cancelled; they have as long again to clean up. The default is 10 seconds.
  ///
  /// @param grace at least zero
  /// @return this builder
  /// @throws IllegalArgumentException if it is negative
  public ComputicleBuilder grace(Duration grace) {
    requireNonNull(grace, "grace is null");
    long _ = Ending.nanos(grace); // refuses it if it is negative
    this.grace = grace;
    return this;
  }

  /// Configures its application: the backend, the failure handler and the like.
  ///
  /// @param settings receives the application's builder
  /// @return this builder
  public ComputicleBuilder application(Consumer<? super ApplicationBuilder> settings) {
    requireNonNull(settings, "settings is null").accept(application);
    return this;
  }

  /// Starts a computicle that runs a program. If a task starts it, it ends with that task's
  /// scheduler. Never a suspension point.
  ///
  /// @param <M> the messages of its mailbox
  /// @param main what it runs
  /// @return the computicle
  public <M> Computicle<M> start(Computicle.Main<M> main) {
    return make(Parent.current(), main).begin();
  }

  /// Makes one that has not begun.
  <M> Computicle<M> make(Parent parent, Computicle.Main<M> main) {
    return new Computicle<>(this, parent, main);
  }

  /// Sets what runs on its thread at its end, when it takes and does nothing any more.
  void whenEnded(Runnable action) {
    whenEnded = action;
  }

  /// Starts a computicle that runs what it is given by [Computicle#exec], until it quits. Never a
  /// suspension point.
  ///
  /// @return the computicle
  public Computicle<Void> start() {
    return start((app, mailbox) -> app.<@Nullable Void>await(app.shutdownRequested()));
  }
}
