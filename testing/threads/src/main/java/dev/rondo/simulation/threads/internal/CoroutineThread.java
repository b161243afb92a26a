package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.simulation.threads.hook.Hook;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A task of a host whose code is that of a program written for threads: a virtual thread on the
/// world's thread.
///
/// Confined to the world's thread, except [#unblocked()].
final class CoroutineThread implements Coroutine, Coroutine.Body {

  private final ThreadLoop loop;
  private final long number;
  private final Coroutine coroutine;
  private final Thread carrier;

  /// Its program; null after the end of its process.
  private @Nullable Body body;

  /// The running thread, as the program sees it.
  private Thread shown;

  /// Whether it has the turn, and a stack that is in use.
  private boolean mounted;

  /// Whether its turn is not over. Written by the world's thread, read by the threads that unblock
  /// it.
  private volatile boolean inTurn;

  /// Whether it may go on again, in its turn. Written by the threads that unblock it.
  private volatile boolean free;

  /// How often the world has begun and ended to wait, on behalf of this one, for a thread that is
  /// none of the simulation. Written by the world's thread, read by the watch.
  private volatile long outsideWaits;

  /// The monitor that it waits to enter; null if it does not, or has not tried yet.
  private @Nullable Object wanted;

  /// Whether the JVM has left it the monitor that it waits for, and it has had no turn since.
  /// Written by the thread of the JDK that unblocks it, before it says so.
  private volatile boolean chosen;

  /// Whether a call of the JDK blocks it.
  private boolean blocked;

  /// On what it waits for a notification; null if it does not. Written by itself, read by threads
  /// that notify others.
  private volatile @Nullable Object monitor;

  /// Whether its process has ended, and it only leaves the monitor that it waits on.
  private boolean leaves;

  /// How many turns it has had. Written by the world's thread before it says that the turn is under
  /// way, read by the watch after it has seen that.
  private long turns;

  /// Why its turn has taken too long. Written by the watch.
  private volatile @Nullable IllegalStateException stuck;

  /// Why it must not have been woken: by a thread from outside of the simulation. Written by that
  /// thread.
  private volatile @Nullable IllegalStateException woken;

  /// @param bound the backend of virtual threads
  CoroutineThread(ThreadLoop loop, CoroutineBackend bound, String name, Body body) {
    this.loop = loop;
    this.number = loop.world().nextNumber();
    this.body = body;
    Hook.exempt(loop.program());
    try {
      this.coroutine = bound.newCoroutine(name, this);
    } finally {
      Hook.exemptNoMore();
    }
    this.carrier = requireNonNull(coroutine.thread());
    this.shown = carrier;
  }

  ThreadLoop loop() {
    return loop;
  }

  /// {@return its name, as the program sees it}
  String name() {
    return shown.getName();
  }

  long number() {
    return number;
  }

  /// {@return it, as the program sees it}
  Thread shown() {
    return shown;
  }

  Thread carrier() {
    return carrier;
  }

  boolean isOf(ThreadLoop other) {
    return loop == other;
  }

  /// {@return the thread that carries it. Any thread, while it has a turn}
  Thread world() {
    return loop.worldThread();
  }

  /// {@return how many turns it has had. Any thread}
  long turns() {
    return turns;
  }

  /// Its turn has taken too long. Called by the watch.
  void stuck(IllegalStateException failure) {
    stuck = failure;
  }

  boolean isStuck() {
    return stuck != null;
  }

  /// Whether it may go on again, in its turn.
  boolean isFree() {
    return free;
  }

  /// The world begins, or ends, to wait for a thread from outside of the simulation.
  ///
  /// @param count how often it has done so
  void outsideWaits(long count) {
    outsideWaits = count;
  }

  /// {@return a number that is odd while the world waits for a thread that is none of the
  /// simulation, on behalf of this one; another one each time} Any thread.
  long outsideWaits() {
    return outsideWaits;
  }

  /// It waits to enter a monitor.
  void wants(Object monitor) {
    wanted = monitor;
  }

  /// Whether the JVM has left it the monitor that it waits for, and it has had no turn since.
  boolean isChosen() {
    return chosen;
  }

  /// Whether it wants to enter a monitor again that it has left, or for the first time.
  boolean isOutOf(Object of) {
    return wanted == of || monitor == of;
  }

  /// {@return the monitor that it has to enter again, because it was notified; null if there is
  /// none, or that is known}
  @Nullable Object wantsAgain() {
    return monitor != null && wanted == null && ThreadFields.isBlocked(carrier) ? monitor : null;
  }

  /// The program sees another thread from now on.
  void show(Thread seen) {
    shown = seen;
    Hook.show(seen);
  }

  @Override
  public Pause resume() {
    WorldThreads world = loop.world();
    world.beginTurn(this);
    loop.enter(this);
    if (blocked) {
      blocked = false;
      loop.unblocked();
    }
    Hook.enter(carrier, shown, requireNonNull(loop.program(), "the host has not begun"));
    Pause pause = Pause.ENDED;
    turns++;
    TurnWatch.begin(this);
    try {
      pause = turn();
    } finally {
      TurnWatch.end();
      Hook.leave();
      failIfStuck();
      loop.leave(this);
      if (pause == Pause.BLOCKED) {
        blocked = true;
        loop.blocked();
      } else if (pause == Pause.ENDED) {
        loop.ended(this);
      }
      world.endTurn(this, blocked);
    }
    return pause;
  }

  private Pause turn() {
    if (wanted != null) {
      wanted = null;
      loop.world().monitors().begins(this);
    }
    chosen = false;
    inTurn = true;
    try {
      while (true) {
        free = false;
        mounted = true;
        Pause pause;
        try {
          pause = coroutine.resume();
        } finally {
          mounted = false;
        }
        if (pause != Pause.BLOCKED || !loop.world().monitors().keepsTurn(this)) {
          return pause;
        }
      }
    } finally {
      inTurn = false;
      if (free) { // it gives way, or something has ended its wait at once
        body().unblocked();
      }
    }
  }

  private void failIfStuck() {
    IllegalStateException failure = stuck;
    if (failure != null) {
      stuck = null;
      loop.fail(this, failure);
    }
  }

  /// @param on where it waits for a notification from now on; null if it does not any more
  void waits(@Nullable Object on) {
    monitor = on;
    WorldBorder border = loop.world().border();
    if (on == null) {
      border.waitsNoMore(this);
    } else {
      border.waits(this);
    }
  }

  /// {@return on what it waits for a notification; null if it does not} Any thread.
  @Nullable Object monitor() {
    return monitor;
  }

  /// {@return its stack, also if it is the caller}
  StackTraceElement[] where() {
    return mounted ? carrier.getStackTrace() : stackTrace();
  }

  /// {@return what it waits for, if it waits with a limit; null if it does not, or that is not
  /// known}
  @Nullable Object waitsOn() {
    if (leaves || carrier.getState() != Thread.State.TIMED_WAITING) {
      return null;
    }
    return monitor == null ? PoolFields.awaited(LockSupport.getBlocker(carrier)) : monitor;
  }

  /// Has it leave the monitor that it waits on, if it does: the JVM keeps what waits on one, for
  /// ever if need be. Nothing of the program runs, which has ended.
  void leaveMonitor() {
    HostProgram program = loop.program();
    if (monitor == null || program == null) {
      return;
    }
    leaves = true;
    carrier.interrupt();
    loop.resumes(this);
    Hook.enter(carrier, shown, program);
    try {
      Pause _ = coroutine.resume();
    } finally {
      Hook.leave();
    }
  }

  /// Its process has ended: it is never resumed, and nothing of the program is kept with it.
  void forget() {
    leaves = true;
    body = null;
    shown = carrier;
    ThreadFields.leaveGroup(carrier);
    if (!mounted) {
      ThreadFields.empty(carrier);
    }
  }

  // The body.

  @Override
  public void run() {
    body().run();
  }

  private Body body() {
    return requireNonNull(body, "the process has ended");
  }

  /// Called by the JDK, on the thread that has unblocked this one.
  @Override
  public void unblocked() {
    if (leaves) {
      return;
    }
    boolean isHere = loop.isHere();
    if (inTurn && (isHere || isUnblocker(Thread.currentThread()))) {
      free = true;
    } else if (isHere) {
      body().unblocked();
    } else if (loop.world().isTurn() && isUnblocker(Thread.currentThread())) {
      chosen = true;
      loop.world().unblocked(this);
    } else {
      woken = WorldBorder.failure("a simulated thread has waited for", Thread.currentThread());
      body().unblocked();
    }
  }

  private static boolean isUnblocker(Thread thread) {
    return thread.getName().equals("VirtualThread-unblocker");
  }

  /// The monitor that it waits for is its own.
  void goOn() {
    body().unblocked();
  }

  // As the coroutine that it is.

  @Override
  public void suspend() {
    coroutine.suspend();
  }

  @Override
  public StackTraceElement[] stackTrace() {
    return coroutine.stackTrace();
  }

  @Override
  public Thread thread() {
    return carrier;
  }

  @Override
  public void interrupt() {
    coroutine.interrupt();
  }

  /// {@return why it must not have been woken, once; null if it may}
  @Nullable IllegalStateException takeWoken() {
    IllegalStateException failure = woken;
    woken = null;
    return failure;
  }
}
