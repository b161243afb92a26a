package dev.rondo.observe.internal;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedTask;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.util.StackFilter;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes a [Recording] of a ring's events. For one use.
final class RecordingMaker {

  private final EventRing.Copy events;
  private final Map<Integer, LoopRecorder> sources = new HashMap<>();
  private final boolean withTasks;

  /// The tasks by their keys, in the order in which the events name them.
  private final Map<Long, RecordedTask> tasks = new LinkedHashMap<>();

  /// The names of the tasks that have ended, by their keys.
  private final Map<Long, String> names = new HashMap<>();

  private final Map<Long, TaskState> ends = new HashMap<>();
  private final Map<Long, TaskInfo> infos = new HashMap<>();

  RecordingMaker(EventRing.Copy events, List<LoopRecorder> sources, boolean withTasks) {
    this.events = events;
    this.withTasks = withTasks;
    sources.forEach(each -> this.sources.put(each.source(), each));
  }

  Recording make() {
    sources.values().forEach(this::collect);
    for (long number = events.first; number < events.end; number++) {
      collect(events.head(number), events.subject(number));
    }
    var all = new ArrayList<RecordedEvent>();
    for (long number = events.first; number < events.end; number++) {
      all.add(event(number));
    }
    infos.keySet().stream().sorted().forEach(this::task);
    return new Recording(all, List.copyOf(tasks.values()), events.first);
  }

  private void collect(LoopRecorder source) {
    source
        .lastNames()
        .forEach((id, name) -> names.put(RecorderCore.keyOf(source.source(), id), name));
    if (withTasks) {
      source.visitTasks((loop, task) -> collect(source, loop, task));
    }
  }

  private void collect(LoopRecorder source, LoopView loop, Task<?> task) {
    long key = RecorderCore.keyOf(source.source(), task.id());
    if (loop.isAddOn(task)) {
      names.put(key, task.name());
    } else {
      infos.put(key, loop.describe(task));
    }
  }

  private void collect(long head, @Nullable Object subject) {
    long key = RecorderCore.keyOf(head);
    switch (RecorderCore.kindOf(head)) {
      case SPAWN -> {
        if (subject instanceof String name) {
          names.put(key, name);
        }
      }
      case END -> {
        switch (subject) {
          case LoopRecorder.Ended ended -> {
            names.put(key, ended.name());
            ends.put(key, ended.state());
          }
          case String name -> {
            names.put(key, name);
            ends.put(key, TaskState.SUCCEEDED);
          }
          case null, default -> {}
        }
      }
      case TURN, WAIT, WAKE, CANCEL, NOTE, SENT, ARRIVED, LOST, FAULT, FAILURE -> {}
    }
  }

  private @Nullable RecordedTask task(long key) {
    return RecorderCore.idOf(key) == 0 ? null : tasks.computeIfAbsent(key, this::newTask);
  }

  private RecordedTask newTask(long key) {
    long id = RecorderCore.idOf(key);
    LoopRecorder source = sources.get(RecorderCore.sourceOf(key));
    String lane = source == null ? "" : source.lane();
    TaskInfo info = infos.get(key);
    if (info == null || ends.containsKey(key)) {
      return new RecordedTask(
          key, lane, id, names.getOrDefault(key, "#" + id), ends.get(key), null, null, List.of());
    }
    return new RecordedTask(
        key,
        lane,
        id,
        info.name(),
        info.state(),
        info.waitingFor(),
        info.holder(),
        lines(info.stack()));
  }

  private RecordedEvent event(long number) {
    long head = events.head(number);
    long key = RecorderCore.keyOf(head);
    RecordedEvent.Kind kind = RecorderCore.kindOf(head);
    RecordedTask task = task(key);
    Duration at = Duration.ofNanos(events.nanos(number));
    Object subject = events.subject(number);
    if (subject instanceof RecorderCore.Said said) {
      String lane = said.lane().isEmpty() && task != null ? task.lane() : said.lane();
      return new RecordedEvent(
          number,
          at,
          kind,
          lane,
          task,
          null,
          said.peer(),
          events.other(number),
          said.text(),
          said.detail(),
          said.failure() == null ? List.of() : stackOf(said.failure()));
    }
    long other = kind == RecordedEvent.Kind.TURN ? 0 : events.other(number);
    return new RecordedEvent(
        number,
        at,
        kind,
        task == null ? "" : task.lane(),
        task,
        other == 0 ? null : task(RecorderCore.keyOf(RecorderCore.sourceOf(key), other)),
        "",
        RecordedEvent.NO_CAUSE,
        textOf(kind, subject),
        "",
        stackOf(subject));
  }

  private static String textOf(RecordedEvent.Kind kind, @Nullable Object subject) {
    return switch (kind) {
      case WAIT ->
          switch (subject) {
            case LoopRecorder.Waited waited -> waited.text();
            case TaskState state -> state.name();
            case null -> "";
            default -> ReportText.describe(subject);
          };
      case END -> subject instanceof LoopRecorder.Ended ended ? endOf(ended) : "";
      case CANCEL -> subject instanceof String description ? description : "";
      case SPAWN, TURN, WAKE, NOTE, SENT, ARRIVED, LOST, FAULT, FAILURE -> "";
    };
  }

  private static String endOf(LoopRecorder.Ended ended) {
    String why =
        ended.failure() instanceof TaskCancelled cancelled
            ? String.valueOf(cancelled.getMessage())
            : ReportText.describe(ended.failure());
    return ended.state() + ": " + why;
  }

  private static List<String> stackOf(@Nullable Object subject) {
    return switch (subject) {
      case LoopRecorder.Waited waited -> lines(waited.stack());
      case LoopRecorder.Ended ended -> stackOf(ended.failure());
      case Throwable failure -> lines(List.of(Stacks.upToTask(failure.getStackTrace())));
      case null, default -> List.of();
    };
  }

  private static List<String> lines(List<StackTraceElement> stack) {
    return StackFilter.ALL.useful(stack).stream().map(StackTraceElement::toString).toList();
  }
}
