package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.LoopControl;
import dev.rondo.scheduler.addon.OpenChannels;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.time.InstantSource;
import java.util.Objects;

/// The implementation of [LoopControl].
public final class LoopControlCore extends LoopControl {

  private final Loop loop;
  private final TaskFactory taskFactory;
  private final Ending ending;
  private final ExternalWork externalWork;
  private final Runnable closeView;
  private final boolean debug;
  private final OpenChannels openChannels = new OpenChannels();

  /// The scheduler's own strategy, which takes any source of events.
  private final IdleStrategy firstIdleStrategy;

  LoopControlCore(
      Loop loop, TaskFactory taskFactory, Ending ending, Runnable closeView, boolean debug) {
    this.loop = loop;
    this.taskFactory = taskFactory;
    this.ending = ending;
    this.externalWork = loop.externalWork;
    this.closeView = closeView;
    this.debug = debug;
    this.firstIdleStrategy = loop.idleStrategy;
  }

  @Override
  public CoroutineBackend backend() {
    return loop.backend;
  }

  @Override
  public boolean configureThread(Runnable action) {
    return taskFactory.configureThread(action);
  }

  @Override
  public IdleStrategy idleStrategy() {
    loop.checkCaller();
    return loop.idleStrategy;
  }

  @Override
  public void idleStrategy(IdleStrategy strategy) {
    loop.checkCaller();
    loop.idleStrategy(Objects.requireNonNull(strategy, "strategy is null"));
    loop.expect(strategy);
  }

  @Override
  public void join(EventSource source) {
    loop.checkCaller();
    Objects.requireNonNull(source, "source is null");
    loop.expect(source);
    IdleStrategy now = loop.idleStrategy;
    if (now.joins(source)) {
      return;
    }
    if (now.lendsThread()) {
      throw new IllegalStateException(
          "the loop waits in "
              + now.getClass().getSimpleName()
              + ", which takes no other source of events: use this add-on in another scheduler, on"
              + " a thread of its own, such as that of a computicle");
    }
    var _ = firstIdleStrategy.joins(source);
    loop.idleStrategy(firstIdleStrategy);
  }

  @Override
  public void timerService(TimerService service) {
    loop.checkCaller();
    loop.timerService = Objects.requireNonNull(service, "service is null");
  }

  @Override
  public boolean hasTimerService() {
    loop.checkCaller();
    return loop.timerService != null;
  }

  @Override
  public InstantSource wallClock() {
    return loop.ticker instanceof InstantSource own ? own : InstantSource.system();
  }

  @Override
  public boolean isDebug() {
    return debug;
  }

  @Override
  public OpenChannels openChannels() {
    return openChannels;
  }

  @Override
  public void expectShutdown() {
    loop.checkCaller();
    externalWork.expectShutdown(ending::isAwaited);
  }

  @Override
  public int externalWaits() {
    loop.checkCaller();
    return externalWork.waits();
  }

  @Override
  public boolean expectsOtherThreads() {
    loop.checkCaller();
    return externalWork.isPossible();
  }

  @Override
  public boolean isShuttingDown() {
    loop.checkCaller();
    return loop.isClosing() || ending.isIntakeClosed();
  }

  @Override
  public boolean isEnding() {
    loop.checkCaller();
    return loop.isClosing() || ending.isCleaningUp;
  }

  @Override
  public long rest() {
    requireStill("rest");
    return loop.beginRest();
  }

  @Override
  public void abandon() {
    requireStill("abandon");
    CoroutineBackend backend = backend();
    if (!backend.canAbandon()) {
      throw new UnsupportedOperationException(
          "the backend %s cannot give up a task, which has a thread of its own; CONTINUATION can"
              .formatted(backend.name()));
    }
    loop.abandon();
    closeView.run();
  }

  private void requireStill(String call) {
    loop.checkCaller();
    if (loop.isDriven()) {
      throw new IllegalStateException(call + " inside of a running scheduler");
    }
    if (loop.isClosing()) {
      throw new IllegalStateException(call + " of a closed scheduler: build another one");
    }
  }
}
