package dev.rondo.scheduler;

import dev.rondo.scheduler.coroutine.CoroutineBackend;

/// Keeps an [Account] for each task, and sees to it that quotas are kept.
///
/// A turn costs two readings of the clock and two of the thread's allocation counter more.
final class Accounting implements TaskListener {

  private final Loop loop;
  private final Quota standard;
  private final AllocationMeter meter;

  /// Of the turn that is going on.
  private long beganNanos;

  private long allocatedBefore;

  private Accounting(Loop loop, Quota standard) {
    this.loop = loop;
    this.standard = standard;
    this.meter = AllocationMeter.of(loop.owner.thread());
    requireMeasurable(loop, standard, meter);
  }

  static Instrument withQuota(Quota standard) {
    return loop -> new Accounting(loop, standard);
  }

  private static void requireMeasurable(Loop loop, Quota quota, AllocationMeter meter) {
    CoroutineBackend backend = loop.backend;
    if (quota.limitsAllocation() && !(meter.isKnown() && backend.mountsOnLoopThread())) {
      throw new IllegalStateException(
          quota
              + " limits allocation, which cannot be measured on backend "
              + backend.name()
              + " of this JVM; limit turns or run time, or use CONTINUATION or BOUND");
    }
  }

  /// Sets the quota of one task.
  static void quota(Task<?> task, Quota quota) {
    Account account = task.account;
    if (account == null) {
      throw new IllegalStateException(
          "quota of task '"
              + task.name()
              + "', whose scheduler keeps no ledger: build it with Scheduler.builder().ledger()");
    }
    if (quota.limitsAllocation() && !account.knowsAllocation) {
      requireMeasurable(task.loop, quota, AllocationMeter.NONE);
    }
    account.quota = quota;
  }

  @Override
  public void created(Task<?> task) {
    boolean measured =
        meter.isKnown() && (task instanceof StepTask<?> || loop.backend.mountsOnLoopThread());
    task.account = new Account(task.addOn ? Quota.unlimited() : standard, measured);
  }

  @Override
  public void beforeTurn(Task<?> task) {
    Account account = task.account;
    if (account != null) {
      beganNanos = loop.ticker.read();
      allocatedBefore = meter.bytes();
    }
  }

  @Override
  public void afterTurn(Task<?> task) {
    Account account = task.account;
    if (account != null) {
      long bytes = meter.bytes() - allocatedBefore;
      account.turnEnded(loop.ticker.read() - beganNanos, account.knowsAllocation ? bytes : 0);
      if (account.quota.isExceededBy(account) && !task.isDone()) {
        task.fail(
            new QuotaExceededException(
                "task '" + task.name() + "' exceeded its quota: " + account.quota.excess(account)));
      }
    }
  }
}
