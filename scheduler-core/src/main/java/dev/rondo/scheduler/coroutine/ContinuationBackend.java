package dev.rondo.scheduler.coroutine;

import java.util.Objects;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/// The fast backend: the JDK's own one-shot delimited continuations, mounted and unmounted on the
/// loop's thread. Only this class and [DirectSwitch] import `jdk.internal.vm`.
///
/// A switch costs two stack copies inside the JVM. It is made by [DirectSwitch] where the JVM
/// allows that, and by the public methods of [Continuation] otherwise. `Thread.currentThread()` is
/// the loop's thread, a blocking JDK call blocks the loop, and a task must never suspend while it
/// holds a monitor or inside a `ScopedValue` binding.
final class ContinuationBackend implements CoroutineBackend {

  private static final ContinuationScope SCOPE = new ContinuationScope("rondo");

  private final boolean direct;

  /// Checks that continuations work on this JVM.
  ///
  /// @throws LinkageError if the package is not exported to this module
  ContinuationBackend() {
    this(DirectSwitch.isAvailable());
  }

  /// Like [#ContinuationBackend()].
  ///
  /// @param direct whether by [DirectSwitch]
  ContinuationBackend(boolean direct) {
    this.direct = direct;
    var probe = new Probe();
    probe.coroutine = newCoroutine("", probe);
    boolean suspends = probe.coroutine.resume() == Coroutine.Pause.SUSPENDED;
    if (!suspends || probe.coroutine.resume() != Coroutine.Pause.ENDED) {
      throw new LinkageError("jdk.internal.vm.Continuation does not suspend on this JVM");
    }
  }

  /// Suspends once.
  private static final class Probe implements Coroutine.Body {

    private @Nullable Coroutine coroutine;

    @Override
    public void run() {
      Objects.requireNonNull(coroutine).suspend();
    }

    @Override
    public void unblocked() {}
  }

  @Override
  public String name() {
    return "CONTINUATION";
  }

  @Override
  public Coroutine newCoroutine(String name, Coroutine.Body body) {
    return direct ? new DirectCont(body) : new Cont(body);
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
  private static sealed class Cont extends Continuation implements Coroutine {

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

  /// The same by [DirectSwitch]. It checks what the JDK checks in its public methods: the JVM would
  /// crash if a continuation were entered twice or after its end, or left from outside.
  private static final class DirectCont extends Cont {

    private static final byte NEW = 0;
    private static final byte INSIDE = 1;
    private static final byte SUSPENDED = 2;

    private byte phase = NEW;

    DirectCont(Body body) {
      super(body);
    }

    @Override
    public Pause resume() {
      VectorState.clearBeforeCalls();
      byte before = phase;
      if (before == INSIDE || isDone()) {
        throw new IllegalStateException(
            isDone() ? "the coroutine has ended" : "the coroutine is resumed already");
      }
      phase = INSIDE;
      try {
        DirectSwitch.enter(this, before == SUSPENDED);
      } finally {
        phase = SUSPENDED;
      }
      return isDone() ? Pause.ENDED : Pause.SUSPENDED;
    }

    @Override
    public void suspend() {
      if (phase != INSIDE) {
        throw new IllegalStateException("suspend() outside of the coroutine");
      }
      int pinned = DirectSwitch.leave();
      if (pinned != 0) {
        throw PinnedException.here(DirectSwitch.reason(pinned));
      }
    }
  }
}
