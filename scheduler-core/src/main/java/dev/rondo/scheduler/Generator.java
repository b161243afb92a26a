package dev.rondo.scheduler;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// An [Iterator] whose elements a task makes. The task runs only as far as the next element
/// requires.
///
/// ```java
/// try (Generator<Integer> squares = scheduler.newGenerator("squares", sink -> {
///   for (int i = 0; ; i++) {
///     sink.yield(i * i);
///   }
/// })) {
///   while (squares.next() < 100) {}
/// }
/// ```
///
/// The body runs as a daemon task, which begins with the first pull. Like any task it may sleep,
/// read a socket, or pull other generators. The puller waits meanwhile, and other tasks have their
/// turns. A pull that is cancelled or times out loses nothing: the next pull receives the element.
/// When a generator is pulled, its body goes to the front of the ready queue; when the element is
/// made, the puller does. One pull in 128 goes to the back, so that an endless generator does not
/// keep other tasks from running.
///
/// Stackful tasks of the scheduler can pull. Code outside of tasks can pull on the scheduler's
/// thread while the scheduler is not driven. The pull then drives the scheduler until the element
/// is made, and other tasks have their turns. A pull by a step task or on another thread fails.
///
/// Close a generator that was not pulled to its end: closing ends the body, and its `finally`
/// blocks run. An open generator does not keep `start()` from returning, and ends when the
/// scheduler is closed.
///
/// Confined to the scheduler's thread. Programs do not extend this class.
///
/// @param <T> the type of the elements
public abstract class Generator<T extends @Nullable Object> implements Iterator<T>, AutoCloseable {

  /// Makes the elements.
  ///
  /// @param <T> the type of the elements
  @FunctionalInterface
  public interface Body<T extends @Nullable Object> {

    /// Puts one element after the other into the sink, and returns when there are no more.
    ///
    /// @param sink receives the elements, at any depth of calls
    /// @throws Exception any failure; the pull throws it
    void generate(Sink<T> sink) throws Exception;
  }

  /// Where a body puts its elements.
  ///
  /// @param <T> the type of the elements
  public interface Sink<T extends @Nullable Object> {

    /// Delivers an element, and waits until the next one is needed. *Always* a suspension point.
    ///
    /// @param element may be null
    /// @throws TaskCancelled if the generator is closed instead
    /// @throws IllegalStateException outside of the generator's own task, or in a
    ///   [Scheduler#shielded] block while it is being closed
    void yield(T element);
  }

  /// For the engine.
  protected Generator() {}

  // The puller's side.

  /// {@return whether there is one more element} Runs the body to find out: a *possible* suspension
  /// point, as [#next()] is, and with the same exceptions.
  ///
  /// A failure of the body is thrown once. After that the generator has no more elements.
  @Override
  public abstract boolean hasNext();

  /// Takes the next element. A *possible* suspension point.
  ///
  /// @return the element that the body yielded
  /// @throws NoSuchElementException if there are no more, or it was closed
  /// @throws CancellationException if the body's task was cancelled, except by [#close()]
  /// @throws TaskCancelled if the task that pulls is cancelled
  /// @throws RuntimeException or another exception, checked or not: the failure of the body
  /// @throws IllegalStateException if another task is pulling or closing this generator, or if the
  ///   caller is its own body or a step task
  @Override
  public abstract T next();

  /// {@return the elements that are left, as a stream} Its terminal operation is a *possible*
  /// suspension point, as [#next()] is; closing it closes the generator. Not for parallel use.
  public Stream<T> stream() {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED), false)
        .onClose(this::close);
  }

  /// Ends the body if it has not ended. The suspension point of the body throws [TaskCancelled],
  /// and its `finally` blocks have run when this method returns, even if the calling task is
  /// cancelled. An element that was not pulled is dropped. Later calls do nothing. A *possible*
  /// suspension point.
  ///
  /// @throws RuntimeException the failure of a `finally` block of the body, unwrapped
  /// @throws IllegalStateException if another task is pulling or closing this generator, or if the
  ///   caller is its own body or a step task
  @Override
  public abstract void close();
}
