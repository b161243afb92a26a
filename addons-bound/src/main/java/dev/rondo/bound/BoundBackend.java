package dev.rondo.bound;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.PinnedException;
import dev.rondo.scheduler.internal.TurnRunner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/// The BOUND backend: virtual threads whose scheduler is the loop. They are made by reflection,
/// with a package-private constructor of the JDK. A blocking JDK call (sockets, locks,
/// `Thread.sleep`) suspends only the task that makes the call, so unmodified blocking libraries
/// become cooperative.
///
/// A coroutine suspends with `Thread.yield()`. The JDK unmounts the thread, and passes its
/// continuation to the scheduler of the thread. That scheduler is the coroutine itself, which keeps
/// the continuation until [Coroutine#resume()]. If the thread cannot be unmounted, `Thread.yield()`
/// returns at once, so the coroutine detects a pinned stack without blocking the loop.
public final class BoundBackend implements CoroutineBackend, TurnRunner.Maker {

  private static final Constructors BUILDERS = Constructors.find();

  private static final VarHandle ENTERED;

  static {
    try {
      ENTERED = MethodHandles.lookup().findVarHandle(Bound.class, "entered", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// For [java.util.ServiceLoader].
  public BoundBackend() {}

  /// The constructor of the JDK's virtual thread builder, or the reason why it cannot be called.
  private record Constructors(
      @Nullable Constructor<?> found, @Nullable UnsupportedOperationException failure) {

    static Constructors find() {
      try {
        Constructor<?> found =
            Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                .getDeclaredConstructor(Executor.class);
        found.setAccessible(true);
        return new Constructors(found, null);
      } catch (ReflectiveOperationException e) {
        return unsupported(
            "the BOUND backend does not know this JDK's virtual threads (Java "
                + Runtime.version()
                + "); use CONTINUATION or HANDOFF",
            e);
      } catch (RuntimeException e) {
        Module own = BoundBackend.class.getModule();
        return unsupported(
            "the BOUND backend needs the JVM flag --add-opens java.base/java.lang="
                + (own.isNamed() ? own.getName() : "ALL-UNNAMED"),
            e);
      }
    }

    private static Constructors unsupported(String why, Exception cause) {
      return new Constructors(null, new UnsupportedOperationException(why, cause));
    }

    Constructor<?> get() {
      if (found == null) {
        throw Objects.requireNonNull(failure);
      }
      return found;
    }
  }

  @Override
  public void checkAvailable() {
    var _ = BUILDERS.get();
  }

  @Override
  public String name() {
    return "BOUND";
  }

  @Override
  public Coroutine newCoroutine(String name, Coroutine.Body body) {
    return new Bound(name, body);
  }

  @Override
  public boolean mountsOnLoopThread() {
    return true;
  }

  @Override
  public TurnRunner newTurnRunner() {
    return new HelperThreads(this);
  }

  @Override
  public void checkLoopThread(Thread loop) {
    if (loop.isVirtual()) {
      throw new IllegalStateException(
          "the BOUND backend needs a platform thread for its loop, but "
              + loop
              + " is virtual; build the scheduler on a platform thread or use HANDOFF");
    }
  }

  private Thread.Builder.OfVirtual builder(Executor scheduler) {
    Constructor<?> builders = BUILDERS.get();
    try {
      return (Thread.Builder.OfVirtual) builders.newInstance(scheduler);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("the JDK withdrew access to " + builders, e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(builders + " failed", e.getCause());
    }
  }

  private final class Bound implements Coroutine, Executor {

    private final Body body;
    private final Thread thread;

    /// The thread's continuation, handed over by the JDK when the thread may run; null while the
    /// thread runs or is blocked. Written by the loop or by the thread that unblocks this one, read
    /// by the loop.
    private volatile @Nullable Runnable ready;

    /// The continuation, which is the same object every time. Set by the first hand-over, on the
    /// loop.
    private @Nullable Runnable own;

    /// True while [#resume()] is on the loop's stack. Written by the loop; read by threads that
    /// hand over a continuation, each after its write of `ready`. Either the thread sees false and
    /// reports the hand-over, or the loop, which has a fence behind its write of false, sees
    /// `ready`.
    private volatile boolean entered;

    /// The thread that resumes this coroutine, and carries its thread meanwhile. Set by the first
    /// [#resume()].
    private @Nullable Thread loop;

    /// Whether the loop's thread was interrupted during this turn.
    private boolean loopInterrupted;

    private boolean started;
    private boolean suspended;
    private boolean resumed;
    private boolean ended;

    Bound(String name, Body body) {
      this.body = body;
      thread =
          builder(this)
              .name(name)
              .unstarted(() -> {
                try {
                  body.run();
                } finally {
                  ended = true;
                  noteInterruptOfLoop();
                }
              });
    }

    /// Called by the JDK: on the loop's thread when this thread starts or yields, and on any thread
    /// when a blocking call of this thread is over. Virtual threads that the body starts inherit
    /// this scheduler; the common pool carries them.
    @Override
    public void execute(Runnable continuation) {
      if (own == null) {
        own = continuation;
      } else if (own != continuation) {
        ForkJoinPool.commonPool().execute(continuation);
        return;
      }
      ready = continuation;
      if (!entered) {
        body.unblocked();
      }
    }

    @Override
    public Pause resume() {
      if (ended) {
        throw new IllegalStateException(
            "resume of a coroutine that has ended: " + thread.getName());
      }
      ENTERED.setRelease(this, true);
      try {
        if (!started) {
          started = true;
          loop = Thread.currentThread();
          thread.start();
        }
        resumed = true;
        Runnable continuation = ready;
        if (continuation != null) { // else the thread is still blocked, and this call has no effect
          ready = null;
          boolean interrupted = Thread.interrupted(); // mounting and unmounting would clear it
          continuation.run();
          if (interrupted || loopInterrupted) {
            loopInterrupted = false;
            Thread.currentThread().interrupt();
          }
        }
      } finally {
        ENTERED.setRelease(this, false);
      }
      if (ended) {
        return Pause.ENDED;
      }
      if (suspended) {
        return Pause.SUSPENDED;
      }
      VarHandle.fullFence();
      if (ready != null) {
        body.unblocked();
      }
      return Pause.BLOCKED;
    }

    @Override
    public void suspend() {
      suspended = true;
      resumed = false;
      noteInterruptOfLoop();
      try {
        Thread.yield();
      } finally {
        suspended = false;
      }
      if (!resumed) {
        throw PinnedException.here("virtual thread not unmounted");
      }
    }

    /// Keeps the interrupt of the loop's thread, which unmounting clears. While the coroutine's own
    /// thread is interrupted, its carrier is interrupted too, and the two interrupts cannot be
    /// distinguished. Unmounting in a blocking call loses the interrupt.
    private void noteInterruptOfLoop() {
      Thread carrier = loop;
      if (carrier != null && carrier.isInterrupted() && !thread.isInterrupted()) {
        loopInterrupted = true;
      }
    }

    @Override
    public StackTraceElement[] stackTrace() {
      return entered ? new StackTraceElement[0] : thread.getStackTrace();
    }

    @Override
    public Thread thread() {
      return thread;
    }

    @Override
    public void interrupt() {
      thread.interrupt();
    }
  }
}
