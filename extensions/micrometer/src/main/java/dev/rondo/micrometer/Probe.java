package dev.rondo.micrometer;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asks the loop for a [Sample], between two turns, and measures how long the loop lets the
/// question wait. One sample serves all the meters that are read together.
///
/// Any thread.
final class Probe {

  /// A sample younger than this is used again.
  private static final long FRESH_NANOS = 500_000_000;

  /// A question to the loop.
  private final class Question implements Runnable {
    private final long askedNanos = ticker.read();
    private final CountDownLatch answered = new CountDownLatch(1);

    /// Whether a reader has waited for the answer in vain. Then no reader waits for it again, not
    /// even the same one for its next meters.
    private volatile boolean isGivenUp;

    @Override
    public void run() {
      try {
        answer(Sample.of(scheduler), askedNanos);
      } finally {
        end(this);
        answered.countDown();
      }
    }
  }

  private final Scheduler scheduler;
  private final Ticker ticker;
  private final long patienceNanos;
  private Sample last = Sample.NONE;
  private long lastNanos;
  private long lagNanos;
  private boolean hasSample;

  /// The question that the loop has not answered; null if there is none.
  private @Nullable Question open;

  /// Makes a probe.
  ///
  /// @param patienceNanos how long a reader waits for the loop; a longer lag is measured all the
  ///   same
  Probe(Scheduler scheduler, Ticker ticker, long patienceNanos) {
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.patienceNanos = patienceNanos;
  }

  /// {@return a recent sample, or the last sample if the loop does not answer in time or is closed}
  Sample sample() {
    Question asked = ask();
    if (asked != null && !isLoopThread()) {
      await(asked);
    }
    synchronized (this) {
      return last;
    }
  }

  /// {@return how long the loop let the last question wait, or has let an unanswered question wait}
  long lagNanos() {
    var _ = sample();
    synchronized (this) {
      return open == null ? lagNanos : ticker.read() - open.askedNanos;
    }
  }

  /// {@return the question to wait for; null if the last sample is fresh, or there will be no
  /// other}
  private synchronized @Nullable Question ask() {
    if (open != null) {
      return open;
    }
    if (hasSample && ticker.read() - lastNanos < FRESH_NANOS) {
      return null;
    }
    var question = new Question();
    open = question;
    if (isLoopThread()) {
      question.run(); // it cannot wait for itself
      return null;
    }
    if (!scheduler.post(question)) {
      open = null; // closed
    }
    return open;
  }

  private synchronized void answer(Sample sample, long askedNanos) {
    last = sample;
    lastNanos = ticker.read();
    lagNanos = lastNanos - askedNanos;
    hasSample = true;
  }

  private synchronized void end(Question question) {
    if (open == question) {
      open = null;
    }
  }

  private void await(Question asked) {
    if (asked.isGivenUp) {
      return;
    }
    boolean answered = false;
    try {
      answered = asked.answered.await(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    asked.isGivenUp = !answered;
  }

  private boolean isLoopThread() {
    return scheduler.inMainTask() || scheduler.currentTask() != null;
  }
}
