package dev.rondo.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/// The limit of all stackful tasks: the JDK's continuations in a bare `ArrayDeque`. No other class
/// of the benchmarks uses `jdk.internal.vm`.
///
/// It uses the public methods of the JDK. In a JVM that was started with [#DIRECTLY] it uses the
/// two private methods below them, as Rondo does where that is allowed.
final class BareLoop {

  /// For forks in which continuations are entered directly.
  static final String DIRECTLY = "-Dbare.direct=true";

  private static final ContinuationScope SCOPE = new ContinuationScope("bare");

  private static final boolean DIRECT = Boolean.getBoolean("bare.direct");

  /// The private methods, in a separate class so that only forks that use them look them up.
  private static final class Direct {
    private static final MethodHandle ENTER;

    /// Not a constant, for the same reason as in Rondo: the call then has a frame of its own.
    @SuppressWarnings("FieldMayBeFinal")
    private static MethodHandle leave;

    static {
      try {
        Lookup jdk = MethodHandles.privateLookupIn(Continuation.class, MethodHandles.lookup());
        ENTER =
            jdk.findStatic(
                Continuation.class,
                "enterSpecial",
                MethodType.methodType(
                    void.class, Continuation.class, boolean.class, boolean.class));
        leave = jdk.findStatic(Continuation.class, "doYield", MethodType.methodType(int.class));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }

  private final ArrayDeque<Fiber> ready = new ArrayDeque<>();
  private boolean residentIsReady;

  /// Code with its own stack.
  static final class Fiber extends Continuation {
    private boolean begun;

    Fiber(Runnable code) {
      super(SCOPE, code);
    }

    private void turn() {
      if (!DIRECT) {
        run();
        return;
      }
      boolean again = begun;
      begun = true;
      try {
        Direct.ENTER.invokeExact((Continuation) this, again, false);
      } catch (Throwable e) {
        throw new AssertionError("bare code threw", e);
      }
    }
  }

  /// Suspends. Other code has scheduled this fiber, or will do so.
  static void pause() {
    if (!DIRECT) {
      Continuation.yield(SCOPE);
      return;
    }
    int pinned;
    try {
      pinned = (int) Direct.leave.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("the JVM refused to suspend", e);
    }
    if (pinned != 0) {
      throw new AssertionError("pinned: " + pinned);
    }
  }

  void schedule(Fiber fiber) {
    ready.add(fiber);
  }

  /// Runs until no fiber is ready.
  void run() {
    for (Fiber next; (next = ready.poll()) != null; ) {
      next.turn();
    }
  }

  /// Gives a number of turns to a ring of fibers that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      Fiber next = ready.poll();
      next.turn();
      ready.add(next);
    }
  }

  // The mounted fiber: the caller, on whose frames the others run. Its stack is never copied.

  void scheduleResident() {
    residentIsReady = true;
  }

  void pauseResident() {
    while (!residentIsReady) {
      ready.poll().turn();
    }
    residentIsReady = false;
  }
}
