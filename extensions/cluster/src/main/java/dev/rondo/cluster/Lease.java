package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// A lease that this node holds, and no other. See [ClusterLease#acquire(Duration)].
///
/// It is renewed while the scheduler runs. If it cannot be, because etcd is out of reach or the
/// loop stands still, it is lost. That happens a twentieth of its time before another node can have
/// it, by the clock of this node.
///
/// **What can be relied on.** Two nodes do not hold it at the same time, as long as the clocks of
/// the machines run at rates that differ by less than a twentieth. A process that stands still and
/// goes on does not know how late it is before it looks: [#check()] and [#token()] look. Between a
/// look and an action a process can stand still as well. Where that must do no harm, pass the token
/// with the action, and have the resource refuse tokens that are smaller than one it has seen. A
/// virtual machine that is suspended as a whole has a clock that stands still too: only the token
/// helps there.
///
/// Confined to the scheduler's thread.
public final class Lease implements AutoCloseable {

  private enum State {
    HELD,
    LOST,
    CLOSED
  }

  private final LeaseDesk desk;
  private final String name;
  private final long token;
  private final long ttlNanos;
  private final List<CancelScope> scopes = new ArrayList<>();
  private State state = State.HELD;

  /// Whether it is given back as soon as no code runs with it.
  private boolean withdrawn;

  /// An instant of the scheduler's ticker.
  private long endNanos;

  private @Nullable TimerHandle ending;
  private @Nullable TimerHandle renewing;
  private @Nullable Proposal renewal;

  /// Makes one.
  ///
  /// @param beginNanos before the command that made it was proposed
  Lease(LeaseDesk desk, String name, long token, long ttlNanos, long beginNanos) {
    this.desk = desk;
    this.name = name;
    this.token = token;
    this.ttlNanos = ttlNanos;
    prolong(beginNanos);
    renewLater(beginNanos);
  }

  // Time.

  /// How long a lease is believed in: less than the cluster waits until it ends it.
  static long believedNanos(long ttlNanos) {
    return ttlNanos - ttlNanos / 20;
  }

  void prolong(long beginNanos) {
    endNanos = beginNanos + believedNanos(ttlNanos);
    if (ending != null) {
      var _ = ending.cancel();
    }
    ending = desk.at(endNanos, this::lose);
  }

  private void renewLater(long beginNanos) {
    renewing = desk.at(beginNanos + ttlNanos / 3, this::renew);
  }

  private void renew() {
    if (!isHeld()) {
      return;
    }
    if (renewal != null) {
      desk.proposer().abandon(renewal);
    }
    long begin = desk.nowNanos();
    renewal =
        desk.proposer()
            .propose(Command.of(Kind.RENEW, name, token, 0), result -> renewed(begin, result));
    renewLater(begin);
  }

  private void renewed(long beginNanos, Result result) {
    renewal = null;
    if (isHeld()) {
      switch (result.status()) {
        case DONE -> prolong(beginNanos);
        case REFUSED, QUEUED -> lose();
        case UNKNOWN_SESSION -> {
          // The next renewal has a new session.
        }
      }
    }
  }

  /// The lease is not this node's any more, or might not be.
  void lose() {
    if (state == State.HELD) {
      end(State.LOST);
      List.copyOf(scopes).forEach(each -> each.cancel(lostMessage()));
    }
  }

  private void end(State as) {
    state = as;
    if (ending != null) {
      var _ = ending.cancel();
    }
    if (renewing != null) {
      var _ = renewing.cancel();
    }
    if (renewal != null) {
      desk.proposer().abandon(renewal);
    }
    desk.ended(this);
  }

  private String lostMessage() {
    return "%s (token %d) is lost: %s"
        .formatted(name, token, withdrawn ? "this node leaves" : "another node may hold it");
  }

  /// The node leaves: the code that runs with the lease is cancelled, and the lease is given back
  /// when that code has ended. It is renewed until then.
  void withdraw() {
    withdrawn = true;
    List.copyOf(scopes).forEach(each -> each.cancel(lostMessage()));
    giveBackIfUnused();
  }

  private void giveBackIfUnused() {
    if (withdrawn && scopes.isEmpty() && state == State.HELD) {
      end(State.LOST);
      desk.release(name, token);
    }
  }

  // For programs.

  /// {@return the token: larger than that of each holder before} A resource that has seen a larger
  /// one should refuse this one. Never a suspension point.
  ///
  /// @throws LeaseLostException if the lease is lost
  /// @throws IllegalStateException if it is closed
  public long token() {
    check();
    return token;
  }

  /// Checks that this node still holds the lease, by the clock. Never a suspension point.
  ///
  /// @throws LeaseLostException if it is lost
  /// @throws IllegalStateException if it is closed
  public void check() {
    desk.checkThread();
    if (state == State.CLOSED) {
      throw new IllegalStateException(name + " is closed");
    }
    if (!isHeld()) {
      throw new LeaseLostException(lostMessage());
    }
  }

  /// {@return whether this node holds the lease, by the clock}
  boolean isHeld() {
    desk.checkThread();
    if (!isBelieved()) {
      lose();
    }
    return state == State.HELD;
  }

  /// As [#isHeld()], and changes nothing.
  boolean isBelieved() {
    return state == State.HELD && desk.nowNanos() - endNanos < 0;
  }

  /// {@return how long this node holds the lease if it is not renewed any more; zero if it does not
  /// hold it} Never a suspension point.
  public Duration remaining() {
    return isHeld() ? Duration.ofNanos(endNanos - desk.nowNanos()) : Duration.ZERO;
  }

  /// {@return the name of the lease}
  String name() {
    return name;
  }

  /// Runs code that needs the lease, in the current task. When the lease is lost the code is
  /// cancelled, before another node can hold the lease. The loop has to run for that: code that
  /// does not suspend is not interrupted, and a loop that is late by more than a twentieth of the
  /// lease's time cancels too late. [#check()] knows. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @return what the code returns
  /// @throws LeaseLostException if the lease is lost before the code has ended
  /// @throws IllegalStateException if the lease is closed
  /// @throws X any failure of the code
  public <T extends @Nullable Object, X extends Exception> T run(TaskCall<? extends T, X> code)
      throws X {
    requireNonNull(code, "code is null");
    check();
    if (withdrawn) {
      throw new LeaseLostException(lostMessage());
    }
    CancelScope scope = desk.scheduler().newScope(name);
    scopes.add(scope);
    T result;
    try {
      result = scope.run(code);
    } catch (CancellationException e) {
      if (scope.isCancelled()) {
        var lost = new LeaseLostException(lostMessage());
        lost.initCause(e);
        throw lost;
      }
      throw e;
    } finally {
      var _ = scopes.remove(scope);
      giveBackIfUnused();
    }
    if (state == State.LOST || !isHeldOrClosed()) {
      throw new LeaseLostException(lostMessage());
    }
    return result;
  }

  private boolean isHeldOrClosed() {
    return state == State.CLOSED || isHeld();
  }

  /// [#run(TaskCall)] for code without a result. A suspension point if the code is one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @throws LeaseLostException if the lease is lost before the code has ended
  /// @throws IllegalStateException if the lease is closed
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <X extends Exception> void run(TaskAction<X> code) throws X {
    requireNonNull(code, "code is null");
    var _ =
        this.<@Nullable Void, X>run(() -> {
          code.run();
          return null;
        });
  }

  /// Gives the lease back: the next node can have it at once. Later calls, and those after it was
  /// lost, do nothing. Never a suspension point.
  @Override
  public void close() {
    desk.checkThread();
    if (state == State.HELD) {
      end(State.CLOSED);
      desk.release(name, token);
    }
  }

  @Override
  public String toString() {
    return "%s (token %d, %s)".formatted(name, token, state);
  }

  /// {@return what it is, for a report, which must change nothing}
  String describe() {
    return "%s: held, token %d, %s left"
        .formatted(name, token, ReportText.nanos(Math.max(0, endNanos - desk.nowNanos())));
  }

  long tokenUnchecked() {
    return token;
  }
}
