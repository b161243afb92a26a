package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.SpinWait;
import dev.rondo.scheduler.internal.PromisedEvent;
import dev.rondo.scheduler.internal.WaitClaim;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Delivers the entries that other threads have posted to a loop. A pass delivers the entries that
/// were posted before it began, up to a limit that leaves time for tasks and add-ons.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
final class Deliveries {

  /// The most elements that one pass delivers.
  private static final int MOST_PER_PASS = 1_024;

  /// The time after which a pass leaves the rest to the next pass.
  private static final long LONGEST_NANOS = 50_000;

  /// The most elements that are delivered between two looks at the clock. The number begins with
  /// one, and doubles while deliveries are short.
  private static final int MOST_PER_LOOK = 64;

  /// The number of times that the loop looks for more elements before it sleeps. These looks take
  /// about ten microseconds. More looks would slow down the posters, because each look reads a
  /// field that they write.
  private static final int MOST_LOOKS = 32;

  private static final int PAUSES_PER_LOOK = 16;

  /// With one processor no element can come while the loop looks.
  private static final int FEWEST_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;

  /// The thread that has promised an event posts it within some instructions, but may be preempted.
  private static final long LONGEST_PROMISE_NANOS = 1_000_000_000;

  private final Loop loop;
  private final Inbox inbox;
  private final Failures failures;

  /// Made once.
  private final Consumer<Runnable> runner = this::run;

  private int looks = FEWEST_LOOKS;

  /// Whether an element was delivered since the last call of [#isMoreComing()].
  private boolean delivered;

  /// The action that is running. Other threads may see an old value.
  private @Nullable Runnable running;

  Deliveries(Loop loop, Inbox inbox, Failures failures) {
    this.loop = loop;
    this.inbox = inbox;
    this.failures = failures;
  }

  /// Delivers elements for some time: those left by earlier passes, or else those that were posted.
  ///
  /// @return the time that this took, in nanoseconds
  long deliverSome() {
    delivered = true;
    long begin = loop.nowNanos();
    int left = MOST_PER_PASS;
    int most = 1;
    while (deliver(most) && (left -= most) > 0 && loop.nowNanos() - begin < LONGEST_NANOS) {
      most = Math.min(Math.min(most << 1, MOST_PER_LOOK), left);
    }
    return loop.nowNanos() - begin;
  }

  /// Delivers all elements that were posted so far.
  void deliverAll() {
    boolean _ = deliver(Integer.MAX_VALUE); // the elements that passes have left
    boolean _ = deliver(Integer.MAX_VALUE);
  }

  private boolean deliver(int most) {
    TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.actionsBegin();
    }
    try {
      return inbox.deliver(most, runner);
    } finally {
      if (hooks != null) {
        hooks.actionsEnd();
      }
    }
  }

  /// Delivers the event that another thread has promised to a wait, and nothing else. Waits until
  /// that thread has posted the event, but not for ever: the thread need not post a
  /// [PromisedEvent].
  void deliverPromised(WaitClaim claim) {
    long begin = System.nanoTime();
    for (int tries = 1; !inbox.deliverPromised(claim); tries++) {
      if (inbox.isClosed() || System.nanoTime() - begin > LONGEST_PROMISE_NANOS) {
        return;
      }
      SpinWait.pause(tries);
    }
  }

  /// Delivers all elements, and makes the inbox refuse more.
  void close() {
    inbox.close(runner);
  }

  /// Looks for more elements for a short time, if one was delivered since the last call, because a
  /// sleep and a wakeup would cost both threads more. The time grows up to about ten microseconds
  /// while elements come, and shrinks to half a microsecond while none come.
  ///
  /// @return whether more elements have come
  boolean isMoreComing() {
    if (!delivered) {
      return false;
    }
    delivered = false;
    for (int look = looks; look > 0; look--) {
      for (int pause = PAUSES_PER_LOOK; pause > 0; pause--) {
        Thread.onSpinWait();
      }
      if (!inbox.isEmpty()) {
        looks = Math.min(looks << 1, MOST_LOOKS);
        return true;
      }
    }
    looks = Math.max(looks >> 1, FEWEST_LOOKS);
    return false;
  }

  private void run(Runnable action) {
    if (loop.runner != null) {
      loop.runUserCode(() -> describe(action), () -> runHere(action));
    } else {
      runHere(action);
    }
  }

  private void runHere(Runnable action) {
    running = action;
    try {
      action.run();
    } catch (Throwable e) {
      failures.takeOfAction(describe(action), e);
    } finally {
      running = null;
    }
  }

  /// Passes a failure to the failure handler in a later pass; logs the failure if there will be no
  /// later pass. Any thread.
  void report(String where, Throwable failure) {
    boolean taken = inbox.post((Inbox.Entry) () -> failures.report(where, failure));
    if (!taken) {
      Failures.log(where, failure);
    }
  }

  /// A description of the action that is running; null if there is none. Any thread. A thread other
  /// than the loop's may see an old value.
  @Nullable String running() {
    Runnable action = running;
    return action == null ? null : describe(action);
  }

  /// Describes an action for reports. Does not call the code of the action, which may fail.
  private static String describe(Runnable action) {
    return "posted " + action.getClass().getName();
  }
}
