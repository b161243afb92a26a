package dev.rondo.micrometer;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.AddOnInfo.Figure;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.time.WaitForTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The figures of a scheduler at one moment.
///
/// @param tasks the number of tasks that are in each state
/// @param turns the number of turns that tasks have had
/// @param ready the number of tasks that are ready
/// @param timers the number of timers that are armed
/// @param channels the number of sockets, listeners and pipes that are open
/// @param channelWaits the number of waits for channels
/// @param bytesReceived the number of bytes that sockets and pipes have received
/// @param bytesSent the number of bytes that the system has taken from sockets and pipes
/// @param figures the figures of the add-ons, by name
record Sample(
    Map<TaskState, Integer> tasks,
    long turns,
    int ready,
    int timers,
    int channels,
    int channelWaits,
    long bytesReceived,
    long bytesSent,
    Map<String, Figure> figures) {

  static final Sample NONE = new Sample(Map.of(), 0, 0, 0, 0, 0, 0, 0, Map.of());

  /// Takes a sample, on the scheduler's thread.
  static Sample of(Scheduler scheduler) {
    LoopView loop = LoopView.of(scheduler);
    WaitForTime time = scheduler.host().addOn(WaitForTime.class);
    ChannelFigures io = ChannelFigures.of(scheduler);
    return new Sample(
        tasksByState(loop),
        loop.turnCount(),
        scheduler.tasksPending(),
        time == null ? 0 : time.waiterCount(),
        io == null ? 0 : io.open(),
        io == null ? 0 : io.waits(),
        io == null ? 0 : io.bytesReceived(),
        io == null ? 0 : io.bytesSent(),
        figures(loop.addOns()));
  }

  private static Map<TaskState, Integer> tasksByState(LoopView loop) {
    var counts = new EnumMap<TaskState, Integer>(TaskState.class);
    boolean _ = loop.makeTasks(Integer.MAX_VALUE);
    for (int slot = 0; slot != LoopView.NO_MORE; ) {
      slot =
          loop.visitTasks(
              slot, Integer.MAX_VALUE, task -> counts.merge(task.taskState(), 1, Integer::sum));
    }
    return counts;
  }

  private static Map<String, Figure> figures(List<AddOnInfo> addOns) {
    return addOns.stream()
        .flatMap(addOn -> addOn.figures().stream())
        .collect(
            toUnmodifiableMap(
                Figure::name,
                figure -> figure,
                (a, b) -> new Figure(a.name(), a.value() + b.value(), a.isCounter())));
  }

  /// Returns the value of a figure; not a number if there is now none with this name.
  double figure(String name) {
    Figure figure = figures.get(name);
    return figure == null ? Double.NaN : figure.value();
  }

  /// Returns the value of a counter; zero if there is now none with this name.
  double count(String name) {
    Figure figure = figures.get(name);
    return figure == null ? 0 : figure.value();
  }

  int inState(TaskState state) {
    return tasks.getOrDefault(state, 0);
  }
}
