package dev.rondo.observe.internal;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/// Dumps all tasks as events of the JDK's flight recorder, whenever a recording asks for it. The
/// event is registered when the flight recorder starts, which most programs never do.
final class JfrDump implements FlightRecorderListener {

  /// How long a dump waits for each answer of the loop.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  /// Returns null when the scheduler is gone without having been closed.
  private final Supplier<@Nullable LoopView> loop;

  private final Runnable dump = this::dump;
  private boolean closed;

  private JfrDump(Supplier<@Nullable LoopView> loop) {
    this.loop = loop;
  }

  /// Registers the event, now or when the flight recorder starts.
  static JfrDump open(Supplier<@Nullable LoopView> loop) {
    var opened = new JfrDump(loop);
    FlightRecorder.addListener(opened);
    return opened;
  }

  @Override
  public synchronized void recorderInitialized(FlightRecorder recorder) {
    if (!closed) {
      FlightRecorder.addPeriodicEvent(JfrEvents.Dump.class, dump);
    }
  }

  synchronized void close() {
    closed = true;
    FlightRecorder.removeListener(this);
    FlightRecorder.removePeriodicEvent(dump);
  }

  /// Called on a thread of the flight recorder.
  private void dump() {
    LoopView present = loop.get();
    if (present == null) {
      close();
      return;
    }
    try {
      TaskDump.write(present, new EventDump(), PATIENCE_NANOS);
    } catch (IOException e) {
      throw new AssertionError("writing events does no I/O", e);
    }
  }

  /// Writes a dump as events.
  static final class EventDump implements DumpWriter {

    private @Nullable String loopThread;

    @Override
    public void begin(TaskDump.Head head) {
      loopThread = head.thread();
    }

    @Override
    public void task(TaskInfo task) {
      var event = new JfrEvents.Dump();
      event.taskId = task.id();
      event.taskName = ReportText.escaped(task.name());
      event.loopThread = loopThread;
      event.state = task.state().name();
      event.waitingFor = escaped(task.waitingFor());
      event.holder = escaped(task.holder());
      event.since = task.since().toNanos();
      event.parentId = task.parentId().orElse(0);
      event.stack =
          task.usefulStack().stream()
              .map(StackTraceElement::toString)
              .collect(Collectors.joining("\n"));
      event.commit();
    }

    @Override
    public void end() {}

    /// Makes one event, for the task that keeps the loop from answering.
    @Override
    public void noAnswer(LoopSnapshot seen) {
      var event = new JfrEvents.Dump();
      event.taskName = escaped(seen.task());
      event.loopThread = loopThread;
      event.state = seen.describe();
      event.stack =
          Stacks.held(seen.stack())
              .map(StackTraceElement::toString)
              .collect(Collectors.joining("\n"));
      event.commit();
    }

    private static @Nullable String escaped(@Nullable String text) {
      return text == null ? null : ReportText.escaped(text);
    }
  }
}
