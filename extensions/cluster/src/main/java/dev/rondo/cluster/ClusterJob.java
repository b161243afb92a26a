package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// A job that one node of the cluster at a time runs, of those that have one of that name. See
/// [WaitForCluster#periodic].
///
/// On each node it is a task, which waits for the job's lease. The node that has it sleeps until
/// the next run is due, and runs it; which run that is, and whether it has begun, is in a register
/// of the cluster. A job keeps the scheduler running until it is cancelled. It begins no new run
/// here once a shutdown has begun, and does not keep its drain.
///
/// Confined to the scheduler's thread.
public final class ClusterJob {

  private final Scheduler scheduler;
  private final WallClock clock;
  private final String name;
  private final ClusterLease lease;
  private final ClusterRegister<JobState> register;
  private final Duration ttl;
  private final JobSchedule schedule;
  private final JobAction action;
  private final BooleanSupplier isMember;
  private final Task<Void> task;
  private boolean runner;

  /// Whether a run is under way, with what is noted of it.
  private boolean running;

  /// The surroundings of a job.
  ///
  /// @param isMember whether the node can still take part
  record Place(
      Scheduler scheduler,
      WallClock clock,
      ClusterLease lease,
      ClusterRegister<JobState> register,
      Duration ttl,
      BooleanSupplier isMember) {}

  ClusterJob(Place place, JobSchedule schedule, JobAction action) {
    this.scheduler = place.scheduler();
    this.clock = place.clock();
    this.name = place.lease().toString();
    this.lease = place.lease();
    this.register = place.register();
    this.ttl = place.ttl();
    this.isMember = place.isMember();
    this.schedule = schedule;
    this.action = requireNonNull(action, "action is null");
    this.task = scheduler.spawn(name, this::compete);
  }

  private void compete() {
    while (isMember.getAsBoolean() && !scheduler.host().isShuttingDown()) {
      try (Lease held = lease.acquire(ttl)) {
        runner = true;
        boolean ends = held.run(() -> runAll(held));
        if (ends) {
          return;
        }
      } catch (LeaseLostException | OutcomeUnknownException e) {
        // Another node has the job now, or this one waits for it again.
      } finally {
        runner = false;
        running = false;
      }
    }
  }

  /// Runs the job as long as this node has the lease. Returns true when no run is ever due again.
  private boolean runAll(Lease held) {
    Optional<JobState> known = register.get();
    if (known.isEmpty()) {
      Optional<Instant> first = schedule.first(clock.now());
      if (first.isEmpty()) {
        return true;
      }
      known = Optional.of(write(known, JobState.waiting(1, first.get())));
    }
    JobState state = known.get();
    while (true) {
      boolean isInterrupted = state.isBegun();
      JobState due = isInterrupted ? state : awaitDue(state);
      running = true;
      state = write(Optional.of(state), due.begun(clock.now()));
      run(new JobRun(state.number(), state.due(), isInterrupted, held));
      Optional<Instant> next = schedule.next(state.due(), state.began(), clock.now());
      if (next.isEmpty()) {
        return true;
      }
      state = write(Optional.of(state), JobState.waiting(state.number() + 1, next.get()));
      running = false;
      if (scheduler.host().isShuttingDown()) {
        return true;
      }
    }
  }

  /// Waits for a run. Returns it, due at the present instant if its own one is too far away.
  private JobState awaitDue(JobState state) {
    try {
      var _ = scheduler.await(clock.at(state.due()), schedule.most());
      return state;
    } catch (TimedOutException e) {
      return JobState.waiting(state.number(), clock.now());
    }
  }

  private void run(JobRun run) {
    try {
      action.run(run);
    } catch (LeaseLostException e) {
      if (run.lease().isHeld()) {
        scheduler.host().report(name, e); // it was another lease
      }
    } catch (Exception e) {
      scheduler.host().report(name, e);
    }
    run.lease().check(); // without it the run may be another node's already
  }

  /// A node that has lost the job without knowing finds another state than its own.
  private JobState write(Optional<JobState> before, JobState now) {
    if (!register.compareAndSet(before, Optional.of(now))) {
      throw new LeaseLostException(name + " is another node's");
    }
    return now;
  }

  /// Called when a shutdown begins. A run that is under way goes on, and is the last one here.
  void endRepeated() {
    if (!running) {
      task.cancel(name + " begins no new run, because a shutdown has begun");
    }
  }

  boolean isDone() {
    return task.isDone();
  }

  /// {@return whether this node has the job's lease, and runs it when it is due} Never a suspension
  /// point.
  public boolean isRunner() {
    scheduler.host().checkThread();
    return runner;
  }

  /// Ends the job on this node, a run that is under way included; another node takes it over. Later
  /// calls do nothing. Never a suspension point.
  public void cancel() {
    scheduler.host().checkThread();
    task.cancel(name + " was cancelled");
  }

  /// {@return its name}
  String name() {
    return name;
  }

  @Override
  public String toString() {
    return name + (runner ? ", run by this node" : "");
  }
}
