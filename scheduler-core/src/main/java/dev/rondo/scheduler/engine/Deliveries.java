package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.Backoff;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Delivers what other threads have posted to a loop: in each pass what was there when the pass
/// began, as much of it as leaves tasks and add-ons their share.
///
/// Confined to the scheduler's thread.
final class Deliveries {

  /// The most that one pass delivers.
  static final int MOST_PER_PASS = 1_024;

  /// A pass that has delivered for so long leaves the rest to the next.
  private static final long LONGEST_NANOS = 50_000;

  /// The most that is delivered between two looks at the clock. It begins with one, and doubles
  /// while they are short.
  private static final int MOST_PER_LOOK = 64;

  /// The loop looks for more before it sleeps, up to about ten microseconds. Seldom, because each
  /// look costs the posters time: they write what it reads.
  private static final int MOST_LOOKS = 32;

  private static final int PAUSES_PER_LOOK = 16;

  /// With one processor nothing can come while the loop looks for it.
  private static final int FEWEST_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;

  private final Loop loop;
  private final Inbox inbox;
  private final Failures failures;

  /// Made once.
  private final Consumer<Runnable> runner = this::run;

  private int looks = FEWEST_LOOKS;

  /// Whether something was delivered since the last call of [#isMoreComing()].
  private boolean delivered;

  /// How many passes in a row have found nothing but an element that is still being written.
  int stalled;

  Deliveries(Loop loop, Inbox inbox, Failures failures) {
    this.loop = loop;
    this.inbox = inbox;
    this.failures = failures;
  }

  /// Delivers some of what there is. The inbox is not empty.
  ///
  /// @return how long that took, in nanoseconds
  long deliverSome() {
    if (inbox.isStalled()) {
      stalled++;
      return 0;
    }
    stalled = 0;
    delivered = true;
    long begin = loop.nowNanos();
    long left = Math.min(inbox.size(), MOST_PER_PASS);
    int most = 1;
    while (true) {
      long some = Math.min(left, most);
      deliver(some);
      left -= some;
      long taken = loop.nowNanos() - begin;
      if (left == 0 || taken >= LONGEST_NANOS || inbox.isStalled()) {
        return taken;
      }
      most = Math.min(most << 1, MOST_PER_LOOK);
    }
  }

  /// Delivers everything that was posted so far.
  void deliverAll() {
    deliver(inbox.size());
  }

  private void deliver(long count) {
    loop.beforeActions();
    try {
      inbox.deliver(count, runner);
    } finally {
      loop.afterActions();
    }
  }

  /// Delivers everything, and has the inbox take no more.
  void close() {
    inbox.close(runner);
  }

  /// Looks for more for a moment, if something was delivered since the last time: to fall asleep
  /// and to be woken costs both threads more. The moment grows while it is worth it, up to about
  /// ten microseconds, and shrinks to half a microsecond when it was not.
  ///
  /// @return whether more has come
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

  /// Nothing is ready, and the next element is still being written. That takes two instructions,
  /// unless the poster was preempted between them: then it can take as long as the system keeps it
  /// waiting. The loop does not sleep until it is woken, because a poster promises that with the
  /// first of the two only. It waits a little after each pass, and longer each time, see [Backoff]:
  /// after some microseconds it uses next to nothing of a processor, and it finds the element 50 us
  /// late at most.
  void awaitPoster() {
    Backoff.pause(stalled);
  }

  private void run(Runnable action) {
    if (loop.usesHelpers) {
      loop.apart(() -> describe(action), () -> runHere(action));
    } else {
      runHere(action);
    }
  }

  private void runHere(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      if (failures.takeOfAction(describe(action), e)) {
        loop.passSoon();
      }
    }
  }

  /// The action that is running; null if none is. Any thread, as far as that can see.
  @Nullable String running() {
    return inbox.beingDelivered() instanceof Runnable action ? describe(action) : null;
  }

  /// What reports call an action. Its own code, which may fail, is not called.
  private static String describe(Runnable action) {
    return "posted " + action.getClass().getName();
  }
}
