package dev.rondo.junit.internal;

import dev.rondo.exploration.Choices;
import dev.rondo.observe.Recorder;

/// A type that methods of a `@RondoTest` can have as a parameter: one object for each run. Modules
/// provide theirs as services, for a [java.util.ServiceLoader].
///
/// A test that has such a parameter runs on the thread of the loop and not as a task, so that the
/// object can drive schedulers of its own. The methods before and after it do the same.
///
/// @param <T> the type
public interface RunParameter<T> {

  /// {@return the type} Exactly that of the parameter.
  Class<T> type();

  /// Checks another parameter of a test that has one of this type. The default allows all.
  ///
  /// @param other its type
  /// @throws IllegalArgumentException if a test cannot have both; the test fails with it
  default void checkBeside(Class<?> other) {}

  /// Makes the object of a run, on the run's thread.
  ///
  /// @param choices everything random in the run is drawn from these
  /// @return the object
  T open(Choices choices);

  /// Makes the object record the run, so that a failure can be drawn. Called after [#open], if the
  /// run is recorded; the default does nothing.
  ///
  /// @param opened the object
  /// @param recorder of the run, which no scheduler has yet; the test adds the failure to it
  /// @return whether it records; if not, the test's own application does
  default boolean record(T opened, Recorder recorder) {
    return false;
  }

  /// Closes the object after the run, on the same thread.
  ///
  /// @param opened the object
  /// @throws Exception a failure of the run
  void close(T opened) throws Exception;
}
