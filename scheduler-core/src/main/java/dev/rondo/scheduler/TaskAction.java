package dev.rondo.scheduler;

/// Code without a result that declares the checked exceptions it can throw. A method that runs it
/// throws no others, so the compiler rejects a `catch` clause that would never be taken.
///
/// Where an overload takes a [TaskCall] as well, Kotlin would take this one for every lambda,
/// because it is the less generic. An annotation of Kotlin's own makes it take the one with the
/// result.
///
/// @param <X> the checked exceptions it throws; for a lambda that throws none, `RuntimeException`
@FunctionalInterface
public interface TaskAction<X extends Exception> {

  /// Runs the code.
  ///
  /// @throws X any failure of the code
  void run() throws X;
}
