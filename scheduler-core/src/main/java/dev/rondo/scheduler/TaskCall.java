package dev.rondo.scheduler;

import java.util.concurrent.Callable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// Code with a result that declares the checked exceptions it can throw. A method that runs it
/// throws no others, so the compiler rejects a `catch` clause that would never be taken.
///
/// A `TaskCall` is also a [TaskAction]. So if a method has an overload for each, the Java and
/// Kotlin compilers choose the one that keeps the result. Pass a `Callable` as `callable::call`.
///
/// @param <T> the type of its result
/// @param <X> the checked exceptions it throws; for a lambda that throws none, `RuntimeException`
@FunctionalInterface
@NullUnmarked // as Callable is: null checkers do not infer that a lambda may return null
public interface TaskCall<T extends @Nullable Object, X extends Exception>
    extends Callable<T>, TaskAction<X> {

  /// Runs the code.
  ///
  /// @return its result
  /// @throws X any failure of the code
  @Override
  T call() throws X;

  /// Runs the code without its result.
  @Override
  default void run() throws X {
    call();
  }
}
