package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;
import java.util.concurrent.CompletableFuture;

/// A stage that other code completes.
class CompletionWaitableTest extends WaitableContract<String> {

  private final CompletableFuture<String> future = new CompletableFuture<>();

  @Override
  protected Waitable<String> make() {
    return scheduler.completion(future);
  }

  /// A future belongs to no scheduler.
  @Override
  protected boolean isForAnyScheduler() {
    return true;
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected String happen() {
    future.complete("completed");
    return "completed";
  }

  @Override
  protected int registered() {
    return UNKNOWN;
  }
}
