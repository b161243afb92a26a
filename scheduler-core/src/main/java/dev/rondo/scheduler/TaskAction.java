package dev.rondo.scheduler;

/// Code without a result that declares the checked exceptions it can throw. A method that runs it
/// throws no others, so the compiler rejects a `catch` clause that would never be taken.
///
/// If one overload takes a `TaskAction` and another a [TaskCall], Kotlin would choose the
/// `TaskAction` for every lambda, because its overload is less generic. An annotation of Kotlin
/// lowers the priority of that overload, so Kotlin chooses the one with the result.
///
/// @param <X> the checked exceptions it throws; for a lambda that throws none, `RuntimeException`
@FunctionalInterface
public interface TaskAction<X extends Exception> {

  /// Runs the code.
  ///
  /// @throws X any failure of the code
  void run() throws X;
}
