package dev.rondo.observe.internal;

import dev.rondo.scheduler.internal.rooms.LoopView;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A question of another thread. The loop answers it between two turns.
///
/// @param <T> the type of the answer
public final class LoopQuestion<T> {

  private final LoopView loop;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private final boolean accepted;

  private LoopQuestion(LoopView loop, Supplier<T> code) {
    this.loop = loop;
    accepted =
        loop.post(() -> {
          if (answer.isDone()) {
            return; // the question was withdrawn
          }
          try {
            answer.complete(code.get());
          } catch (Throwable e) {
            answer.completeExceptionally(e); // a failure must not end the loop
          }
        });
  }

  /// Asks. Any thread but the scheduler's.
  ///
  /// @param code runs on the loop
  public static <T> LoopQuestion<T> ask(LoopView loop, Supplier<T> code) {
    return new LoopQuestion<>(loop, code);
  }

  /// {@return the answer of the caller's own loop} A failure is thrown as it is to other threads.
  public static <T> T answerHere(Supplier<T> code) {
    try {
      return code.get();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// {@return a description of the turn that keeps a loop from answering, for people} Any thread.
  public static String noAnswer(LoopView loop) {
    return LoopSnapshot.of(loop).report();
  }

  /// {@return whether the loop is closed, so that there is no answer}
  public boolean isRefused() {
    return !accepted;
  }

  /// Waits for the answer, and withdraws the question if there is none.
  ///
  /// @return null if the loop is closed or there was no answer in time; null at once if the loop's
  ///   thread has ended, or if the calling thread is interrupted, which it then stays
  public @Nullable T await(long patienceNanos) {
    if (!accepted) {
      return null;
    }
    try {
      return answer.get(loop.thread().isAlive() ? patienceNanos : 0, TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return answer.cancel(false) ? null : answer.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      answer.cancel(false);
      return null;
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    }
  }

  private static IllegalStateException failed(@Nullable Throwable cause) {
    return new IllegalStateException("a question failed on the loop", cause);
  }
}
