package dev.rondo.simulation;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.rondo.exploration.Choices;
import dev.rondo.exploration.internal.Candidates;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.simulation.internal.net.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Drives the hosts of a world: gives one after the other a turn, and lets time pass when all of
/// them rest. It does not look at hosts that rest.
///
/// Confined to the world's thread, except [#wakeUp(HostProcess)].
final class WorldDriver {

  /// A process that rests until an instant. Void if the process has rested again since.
  private record Wake(long instant, long number, HostProcess process) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
      int byInstant = Long.compare(instant, other.instant);
      return byInstant != 0 ? byInstant : Long.compare(number, other.number);
    }
  }

  private final WorldTime time = new WorldTime();
  private final NetworkThread thread = new NetworkThread();

  /// Events besides those of the network: faults and their ends.
  private final Timeline plans = new Timeline(time);

  private final SimulatedNetwork network = SimulatedNetwork.ofWorld(time, thread);
  private final Choices choices;
  private final WorldTrace trace;

  /// In the order in which they became ready, or had a turn since.
  private final List<HostProcess> ready = new ArrayList<>();

  /// Has had the last turn.
  private @Nullable WorldHost last;

  /// The hosts that are ready, to be chosen among. Made once.
  private final Candidates readyHosts =
      new Candidates() {
        @Override
        public long applyAsLong(int index) {
          return ready.get(index).host().number();
        }

        @Override
        public String name(int index) {
          return ready.get(index).host().name();
        }

        @Override
        public String previous() {
          return last == null ? "" : last.name();
        }
      };

  private final PriorityQueue<Wake> resting = new PriorityQueue<>();
  private long rests;

  /// Actions for the end of the turn.
  private final List<Runnable> afterTurn = new ArrayList<>();

  private @Nullable HostProcess running;

  private final HostCalls calls;

  /// The real time that threads outside of the world have to end the waits for them.
  private Duration patience = Duration.ofSeconds(10);

  /// The host whose name is in the logging context.
  private @Nullable WorldHost inContext;

  /// Filled by other threads.
  private final Queue<HostProcess> wokenOutside = new ConcurrentLinkedQueue<>();

  private final Semaphore outside = new Semaphore(0);

  /// The processes that wait for other threads.
  private final List<HostProcess> waitingOutside = new ArrayList<>();

  private boolean impatient;

  private final WorldFailures failures = new WorldFailures(time);

  /// @param choices of the host that has the next turn
  /// @param recorded whether each turn is kept
  WorldDriver(Choices choices, boolean recorded) {
    this.choices = choices;
    this.trace = new WorldTrace(time, choices, recorded);
    this.calls = new HostCalls(failures, patience);
  }

  WorldFailures failures() {
    return failures;
  }

  /// The threads of `blocking(..)`.
  HostCalls calls() {
    return calls;
  }

  /// @param real that work of other threads may take
  void patience(Duration real) {
    patience = real;
    calls.limit(real);
  }

  /// An attempt at a simpler run may end here.
  void countStep() {
    choices.step();
  }

  WorldTrace trace() {
    return trace;
  }

  WorldTime time() {
    return time;
  }

  SimulatedNetwork network() {
    return network;
  }

  Timeline plans() {
    return plans;
  }

  /// @throws WrongThreadException on another thread than the world's
  void checkThread() {
    thread.check();
  }

  /// The process whose task has the turn; null between turns.
  @Nullable HostProcess running() {
    return running;
  }

  /// Does something now, or after the turn that is under way.
  void betweenTurns(Runnable action) {
    if (running == null) {
      action.run();
    } else {
      afterTurn.add(action);
    }
  }

  // Hosts that are ready.

  /// Lets a process check whether it has something to do. Any thread.
  void wakeUp(HostProcess process) {
    if (thread.isHere()) {
      makeReady(process);
    } else {
      wokenOutside.add(process);
      outside.release();
    }
  }

  void makeReady(HostProcess process) {
    if (!process.ready && process.mayRun()) {
      process.ready = true;
      ready.add(process);
    }
  }

  /// The process has no turn until it is made ready.
  void remove(HostProcess process) {
    if (process.ready) {
      process.ready = false;
      ready.remove(process);
    }
  }

  /// The process is no more, and nothing here refers to it.
  void forget(HostProcess process) {
    remove(process);
    resting.removeIf(wake -> wake.process == process);
    waitingOutside.remove(process);
  }

  /// The process has no turn before it is woken.
  ///
  /// @param nanos of its host, until it is woken in any case
  void restFor(HostProcess process, long nanos) {
    remove(process);
    process.rest = 0;
    long instant = process.host().clock().worldAfter(nanos);
    if (instant != Timeline.NEVER) {
      process.rest = ++rests;
      resting.add(new Wake(instant, rests, process));
    }
    boolean waits = process.externalWaits() > 0;
    if (waits != waitingOutside.contains(process)) {
      if (waits) {
        waitingOutside.add(process);
        impatient = false;
      } else {
        waitingOutside.remove(process);
      }
    }
  }

  // Turns.

  /// Gives one host a turn.
  ///
  /// @return that host; null if none is ready
  @Nullable WorldHost turn() {
    takeWokenOutside();
    if (ready.isEmpty()) {
      return null;
    }
    HostProcess next = ready.remove(RunChoices.of(choices).chooseHost(ready.size(), readyHosts));
    last = next.host();
    next.ready = false;
    enterContext(next.host());
    running = next;
    thread.turnOf(next.scheduler());
    long nanos;
    try {
      nanos = next.turn();
      next.closeIfEnded();
    } finally {
      running = null;
      thread.turnOf(null);
    }
    trace.add(next.host().number() ^ nanos + next.readyCount());
    if (nanos == 0) {
      makeReady(next);
    } else if (next.mayRun()) {
      restFor(next, nanos);
    }
    for (int i = 0; i < afterTurn.size(); i++) {
      afterTurn.get(i).run();
    }
    afterTurn.clear();
    calls.run();
    next.host().turnEnded();
    return next.host();
  }

  /// Lets the other hosts go on until a process that rests is woken.
  ///
  /// @param limit an instant of the world
  /// @return whether it was
  boolean runUntilWoken(HostProcess process, long limit) {
    while (true) {
      takeWokenOutside();
      if (process.ready) {
        remove(process);
        return true;
      }
      if (turn() == null && !advance(limit)) {
        return false;
      }
    }
  }

  private void takeWokenOutside() {
    for (HostProcess each; (each = wokenOutside.poll()) != null; ) {
      makeReady(each);
    }
  }

  /// The host of all log lines from now on; null for the world.
  void enterContext(@Nullable WorldHost host) {
    if (host == inContext) {
      return;
    }
    inContext = host;
    if (host == null) {
      MDC.remove(World.MDC_HOST);
    } else {
      MDC.put(World.MDC_HOST, host.name());
    }
  }

  HostContext contextOf(WorldHost host) {
    return new HostContext(host.name(), thread);
  }

  // Time.

  /// Lets time pass until something happens, when no host is ready.
  ///
  /// @param limit an instant of the world
  /// @return false if nothing happens until then; no time has passed
  boolean advance(long limit) {
    if (mayComeFromOutside()) {
      return true;
    }
    long next = nextInstant();
    if (next > limit || next == Timeline.NEVER) {
      return false;
    }
    time.movable(true);
    try {
      plans.advanceTo(next);
      network.timeline().advanceTo(next);
    } finally {
      time.movable(false);
    }
    for (Wake wake; (wake = resting.peek()) != null && wake.instant <= time.nanos(); ) {
      resting.remove();
      if (wake.process.rest == wake.number) {
        makeReady(wake.process);
      }
    }
    return true;
  }

  /// Whether no host is ready.
  boolean isSettled() {
    return ready.isEmpty();
  }

  /// Whether no host is ready, and none ever will be.
  boolean hasNothingToCome() {
    return ready.isEmpty() && nextInstant() == Timeline.NEVER;
  }

  private long nextInstant() {
    long events = Math.min(network.timeline().nextInstant(), plans.nextInstant());
    return Math.min(events, nextDeadline());
  }

  private long nextDeadline() {
    Wake next;
    while ((next = resting.peek()) != null && next.process.rest != next.number) {
      resting.remove();
    }
    return next == null ? Timeline.NEVER : next.instant;
  }

  /// Work of other threads takes no virtual time: the world stands still until it is done.
  private boolean mayComeFromOutside() {
    if (waitingOutside.isEmpty() || impatient) {
      return !wokenOutside.isEmpty();
    }
    try {
      impatient = !outside.tryAcquire(NANOSECONDS.convert(patience), NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      impatient = true;
    }
    if (impatient) {
      logger()
          .warn(
              "virtual time goes on, although hosts have waited for work of other threads for {}"
                  + " of real time: {}",
              ReportText.duration(patience),
              waitingOutside.stream().map(HostProcess::host).toList());
    }
    outside.drainPermits();
    return !wokenOutside.isEmpty();
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(World.class);
  }
}
