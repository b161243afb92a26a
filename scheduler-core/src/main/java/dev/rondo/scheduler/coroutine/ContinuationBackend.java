package dev.rondo.scheduler.coroutine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/// The fast backend: the JDK's own one-shot delimited continuations, mounted and unmounted on the
/// loop's thread. The only class that imports `jdk.internal.vm`.
///
/// A switch costs two stack copies inside the JVM. Switches use [DirectSwitch] where the JVM allows
/// that, and the public methods of [Continuation] otherwise. The JVM does not check its caller.
/// Entering a continuation after its end, or after an attempt that ran out of stack, would crash
/// the JVM. Using a coroutine from two threads, which is not checked, would crash it, too.
/// `Thread.currentThread()` is the loop's thread, a blocking JDK call blocks the loop, and a task
/// must never suspend while it holds a monitor or inside a `ScopedValue` binding.
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
  /// @param direct whether switches go through [DirectSwitch]
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
    return new Cont(body, direct);
  }

  @Override
  public boolean sharesThread() {
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

  /// The coroutine is itself the continuation: one object serves as both.
  private static final class Cont extends Continuation implements Coroutine {

    private static final byte NEW = 0;
    private static final byte SUSPENDED = 1;
    private static final byte INSIDE = 2;

    /// An attempt to enter the coroutine has failed, so its stack may be incomplete.
    private static final byte BROKEN = 3;

    /// The coroutine is suspended, and another thread reads its stack.
    private static final byte OBSERVED = 4;

    /// Compared in [#resume()], so that the JIT clears the upper halves of vector registers before
    /// the calls in that method (`vzeroupper`, a nanosecond). The JIT does so in each method in
    /// which it has seen a comparison of arrays. The comparison itself is removed, since nothing
    /// uses its result.
    ///
    /// The JIT clears new objects with AVX instructions, and leaves the upper halves in use. The
    /// JVM's code that copies a stack back uses SSE instructions. While upper halves are in use,
    /// some processors take about 50 ns to go from one kind of instruction to the other, and as
    /// much to go back. On these processors, a loop that makes an object before it resumes a
    /// coroutine would take twice as long. `AllocatingSwitchBenchmark` measures this.
    private static final byte[] NOTHING = {};

    private static final VarHandle PHASE;

    static {
      try {
        PHASE = MethodHandles.lookup().findVarHandle(Cont.class, "phase", byte.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /// Written by the loop, with plain writes. An observer also writes it, between [#SUSPENDED] and
    /// [#OBSERVED], while the loop hangs. When the loop goes on, it sees the earlier writes.
    private byte phase = NEW;

    /// Whether switches go through [DirectSwitch].
    private final boolean direct;

    Cont(Body body, boolean direct) {
      super(SCOPE, body);
      this.direct = direct;
    }

    @Override
    public Pause resume() {
      boolean _ = Arrays.equals(NOTHING, NOTHING);
      byte before = phase;
      if (before > SUSPENDED || isDone()) {
        before = unobserved(before);
      }
      phase = INSIDE;
      try {
        if (direct) {
          DirectSwitch.enter(this, before == SUSPENDED);
        } else {
          run();
        }
      } catch (Throwable e) {
        phase = BROKEN; // no other code here: the stack may be exhausted
        throw e;
      }
      phase = SUSPENDED;
      if (!isDone()) {
        return Pause.SUSPENDED;
      }
      if (direct && before == SUSPENDED) {
        DirectSwitch.releaseStack(this);
      }
      return Pause.ENDED;
    }

    /// Waits until no other thread reads the stack.
    private byte unobserved(byte before) {
      if (before != OBSERVED) {
        throw refusal(before);
      }
      while ((byte) PHASE.getVolatile(this) == OBSERVED) {
        Thread.onSpinWait();
      }
      return SUSPENDED;
    }

    private IllegalStateException refusal(byte before) {
      if (isDone()) {
        return new IllegalStateException("resume() of a coroutine that has ended");
      }
      return new IllegalStateException(
          before == INSIDE
              ? "resume() of a coroutine that is running"
              : "resume() of a coroutine that could not be resumed before: it is lost");
    }

    @Override
    public void suspend() {
      if (phase != INSIDE) {
        throw new IllegalStateException("suspend() outside of the coroutine");
      }
      if (!direct) {
        Continuation.yield(SCOPE);
        return;
      }
      int pinned = DirectSwitch.leave();
      if (pinned != 0) {
        throw PinnedException.here(DirectSwitch.reason(pinned));
      }
    }

    @Override
    protected void onPinned(Pinned reason) {
      throw PinnedException.here(reason.toString());
    }

    @Override
    public StackTraceElement[] stackTrace() {
      return isDone() ? new StackTraceElement[0] : getStackTrace();
    }

    /// Reads the stack of a continuation that the loop does not enter meanwhile. If the loop still
    /// hangs after the phase was changed, it finds the change before it enters any continuation. If
    /// the loop no longer hangs, it may have missed the change.
    @Override
    public StackTraceElement[] stackTrace(BooleanSupplier hangs) {
      if (!PHASE.compareAndSet(this, SUSPENDED, OBSERVED)) {
        return new StackTraceElement[0];
      }
      try {
        boolean isSafe = hangs.getAsBoolean() && (byte) PHASE.getVolatile(this) == OBSERVED;
        return isSafe ? stackTrace() : new StackTraceElement[0];
      } finally {
        PHASE.compareAndSet(this, OBSERVED, SUSPENDED);
      }
    }

    @Override
    public @Nullable Thread thread() {
      return null;
    }
  }
}
