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

  /// Sets the capacity of the mailbox in messages. The default is 256. With 0 a sender waits until
  /// a task receives.
  ///
  /// @param capacity at least 0
  /// @return this builder
  /// @throws IllegalArgumentException if the capacity is below 0
  public ComputicleBuilder mailbox(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must be at least 0, but is " + capacity);
    }
    this.capacity = capacity;
    return this;
  }

  /// Sets the time that the tasks may go on after the computicle is closed, or its parent ends.
  /// After this time they are cancelled, and have the same time again to clean up. The default is
  /// 10 seconds.
  ///
  /// @param grace at least zero
  /// @return this builder
  /// @throws IllegalArgumentException if the grace is negative
  public ComputicleBuilder grace(Duration grace) {
    requireNonNull(grace, "grace is null");
    long _ = Ending.nanos(grace); // refuses a negative grace
    this.grace = grace;
    return this;
  }

  /// Configures the application: the backend, the failure handler and so on.
  ///
  /// @param settings receives the application's builder
  /// @return this builder
  public ComputicleBuilder application(Consumer<? super ApplicationBuilder> settings) {
    requireNonNull(settings, "settings is null").accept(application);
    return this;
  }

  /// Starts a computicle that runs a program. A computicle that a task starts ends with the
  /// scheduler of that task. Never a suspension point.
  ///
  /// @param <M> the messages of its mailbox
  /// @param main the program
  /// @return the computicle
  public <M> Computicle<M> start(Computicle.Main<M> main) {
    return make(Parent.current(), main).begin();
  }

  /// Makes a computicle that has not begun.
  <M> Computicle<M> make(Parent parent, Computicle.Main<M> main) {
    return new Computicle<>(this, parent, main);
  }

  /// Sets an action that runs on the computicle's thread at its very end, when it has stopped
  /// working.
  void whenEnded(Runnable action) {
    whenEnded = action;
  }

  /// Starts a computicle that runs the code given to [Computicle#exec], until it quits. Never a
  /// suspension point.
  ///
  /// @return the computicle
  public Computicle<Void> start() {
    return start((app, mailbox) -> app.<@Nullable Void>await(app.shutdownRequested()));
  }
}
