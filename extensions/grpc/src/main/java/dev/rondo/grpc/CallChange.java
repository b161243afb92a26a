package dev.rondo.grpc;

import dev.rondo.scheduler.Waitable;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;

/// The next change of one side of a call. It wakes all tasks that wait for that side. Each task
/// then looks whether its own wait is over.
///
/// Confined to the scheduler's thread.
final class CallChange {

  private final CallLoop loop;

  /// Null if no task waits.
  private @Nullable Promise<Boolean> next;

  CallChange(CallLoop loop) {
    this.loop = loop;
  }

  /// {@return a wait for the next change; a wait that is over if the state is the awaited one}
  Waitable<Boolean> unless(boolean here) {
    if (here) {
      return Waitable.always(true);
    }
    Promise<Boolean> awaited = next;
    if (awaited == null) {
      awaited = loop.newPromise("the next step of a gRPC call");
      next = awaited;
    }
    return loop.netty().waitable(awaited);
  }

  void fire() {
    Promise<Boolean> awaited = next;
    next = null;
    if (awaited != null) {
      boolean _ = awaited.trySuccess(true);
    }
  }
}
