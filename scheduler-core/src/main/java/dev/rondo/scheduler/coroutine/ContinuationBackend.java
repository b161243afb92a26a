package dev.rondo.scheduler.coroutine;

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/// The fast backend: the JDK's own one-shot delimited continuations, mounted and unmounted on the
/// loop's thread. The only class that imports `jdk.internal.vm`.
///
/// A switch costs two stack copies inside the JVM. `Thread.currentThread()` is the loop's thread, a
/// blocking JDK call blocks the loop, and a task must never suspend while it holds a monitor or
/// inside a `ScopedValue` binding.
final class ContinuationBackend implements CoroutineBackend {

  private static final ContinuationScope SCOPE = new ContinuationScope("rondo");

  /// Checks that continuations work on this JVM.
  ///
  /// @throws LinkageError if the package is not exported to this module
  ContinuationBackend() {
    var probe = new Continuation(SCOPE, () -> Continuation.yield(SCOPE));
    probe.run();
    boolean suspends = !probe.isDone();
    probe.run();
    if (!suspends || !probe.isDone()) {
      throw new LinkageError("jdk.internal.vm.Continuation does not suspend on this JVM");
    }
  }

  @Override
  public String name() {
    return "CONTINUATION";
  }

  @Override
  public Coroutine newCoroutine(String name, Coroutine.Body body) {
    return new Cont(body);
  }

  @Override
  public boolean sharesThread() {
    return true;
  }

  @Override
  public boolean canHost() {
    return true;
  }

  @Override
  public boolean mountsOnLoopThread() {
    return true;
  }

  @Override
  public void checkLoopThread(Thread loop) {
    if (loop.isVirtual()) {
      throw new IllegalStateException(
          "the CONTINUATION backend needs a platform thread for its loop, but "
              + loop
              + " is virtual; build the scheduler on a platform thread or use HANDOFF");
    }
  }

  /// The coroutine is the continuation: one object for both.
  private static final class Cont extends Continuation implements Coroutine {

    Cont(Body body) {
      super(SCOPE, body);
    }

    @Override
    public Pause resume() {
      VectorState.clearBeforeCalls();
      run();
      return isDone() ? Pause.ENDED : Pause.SUSPENDED;
    }

    @Override
    public void suspend() {
      Continuation.yield(SCOPE);
    }

    @Override
    protected void onPinned(Pinned reason) {
      throw PinnedException.here(reason.toString());
    }

    @Override
    public StackTraceElement[] stackTrace() {
      return isDone() ? new StackTraceElement[0] : getStackTrace();
    }

    @Override
    public @Nullable Thread thread() {
      return null;
    }
  }
}
