package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.LeaseState;
import dev.rondo.cluster.internal.agreement.LeaseState.Request;
import dev.rondo.cluster.internal.agreement.LeaseState.RequestKey;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A task's wish for a lease.
///
/// | from | to | cause |
/// |---|---|---|
/// | TAKING | SETTLED | the lease was free, or it is another's and the task does not wait |
/// | TAKING | QUEUED | the lease is another's |
/// | TAKING, QUEUED | CONFIRMING | the lease is this node's, since when is not known well enough |
/// | QUEUED | TAKING | the node is not in the queue any more: it was out of reach |
/// | CONFIRMING | SETTLED | the lease was renewed |
/// | CONFIRMING | TAKING | it had ended |
/// | any | SETTLED | the task has given up, or the node leaves |
///
/// Confined to the scheduler's thread.
final class Acquisition implements Waitable<Optional<Lease>> {

  private enum State {
    TAKING,
    QUEUED,
    CONFIRMING,
    SETTLED
  }

  private final LeaseDesk desk;
  final String name;
  private final long ttlNanos;
  private final boolean waits;
  private final WaitQueue<Optional<Lease>> waiters = new WaitQueue<>();
  private State state = State.TAKING;
  private boolean abandoned;
  private RequestKey request = new RequestKey("", 0);

  /// Whether the answer has come, and what it was.
  private boolean answered;

  private Optional<Lease> outcome = Optional.empty();
  private @Nullable RuntimeException failure;

  Acquisition(LeaseDesk desk, String name, long ttlNanos, boolean waits) {
    this.desk = desk;
    this.name = name;
    this.ttlNanos = ttlNanos;
    this.waits = waits;
  }

  void take() {
    state = State.TAKING;
    long begin = desk.nowNanos();
    String session = desk.proposer().session();
    byte[] node = desk.node().getBytes(StandardCharsets.UTF_8);
    Proposal proposal =
        desk.proposer()
            .propose(
                Command.of(Kind.TAKE, name, ttlNanos, waits ? 1 : 0).with(node, null),
                result -> taken(begin, result));
    request = new RequestKey(session, proposal.id);
  }

  private void taken(long beginNanos, Result result) {
    if (state == State.SETTLED) {
      return; // the node leaves
    }
    switch (result.status()) {
      case DONE -> granted(result.number(), beginNanos);
      case QUEUED -> {
        if (abandoned) {
          desk.forget(name, request.id());
          settle();
        } else {
          state = State.QUEUED;
          LeaseState now = desk.state(name);
          changed(now, now.queue());
        }
      }
      case REFUSED -> succeed(Optional.empty());
      case UNKNOWN_SESSION -> takeAgain();
    }
  }

  /// The lease is another one now.
  ///
  /// @param queue for it
  void changed(LeaseState now, Set<RequestKey> queue) {
    if (state != State.QUEUED) {
      return;
    }
    Request holder = now.holder();
    if (holder != null && request.equals(holder.key())) {
      confirm(now.token());
    } else if (!queue.contains(request)) {
      take();
    }
  }

  /// Renews a lease that was given at an instant that is not known.
  private void confirm(long token) {
    state = State.CONFIRMING;
    long begin = desk.nowNanos();
    var _ =
        desk.proposer()
            .propose(
                Command.of(Kind.RENEW, name, token, 0),
                result -> {
                  if (result.isDone()) {
                    granted(token, begin);
                  } else {
                    takeAgain();
                  }
                });
  }

  private void takeAgain() {
    if (abandoned) {
      settle();
    } else if (state != State.SETTLED) {
      take();
    }
  }

  private void granted(long token, long beginNanos) {
    if (abandoned) {
      desk.release(name, token);
      settle();
    } else if (desk.nowNanos() - beginNanos >= Lease.believedNanos(ttlNanos) / 2) {
      confirm(token);
    } else {
      succeed(Optional.of(desk.hold(name, token, ttlNanos, beginNanos)));
    }
  }

  private void succeed(Optional<Lease> result) {
    answered = true;
    outcome = result;
    settle();
    var _ = waiters.fireFirst(result);
  }

  private void settle() {
    state = State.SETTLED;
    desk.settled(this);
  }

  /// The node leaves: the task fails, and what the answer says is taken back.
  void withdraw() {
    failure = left();
    abandon();
    var _ = waiters.failAll(left());
  }

  /// The node has left.
  void fail() {
    failure = left();
    settle();
    var _ = waiters.failAll(left());
  }

  private OutcomeUnknownException left() {
    return new OutcomeUnknownException("this node has left while a task waited for " + name);
  }

  /// The task does not wait any more.
  void abandon() {
    abandoned = true;
    switch (state) {
      case TAKING, CONFIRMING -> {
        // What the answer says is taken back.
      }
      case QUEUED -> {
        desk.forget(name, request.id());
        settle();
      }
      case SETTLED -> outcome.ifPresent(Lease::close);
    }
  }

  // Being awaited, by the task that has made it.

  @Override
  public boolean poll(Waiter<? super Optional<Lease>> waiter) {
    if (answered) {
      return waiter.fire(outcome);
    }
    RuntimeException reason = failure;
    return reason != null && waiter.fail(reason);
  }

  @Override
  public void arm(Waiter<? super Optional<Lease>> waiter) {
    if (!poll(waiter)) {
      waiters.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super Optional<Lease>> waiter) {
    var _ = waiters.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return desk.scheduler();
  }

  @Override
  public String toString() {
    return name;
  }
}
