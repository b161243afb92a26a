package dev.rondo.observe.internal;

import dev.rondo.observe.DumpFormat;
import dev.rondo.scheduler.addon.TaskInfo;
import java.io.IOException;

/// Writes a [TaskDump] task by task, without keeping anything.
public sealed interface DumpWriter permits TextDump, JsonDump, JfrDump.EventDump {

  /// {@return a writer of a format}
  static DumpWriter of(DumpFormat format, Appendable out) {
    return switch (format) {
      case TEXT -> new TextDump(out);
      case JSON -> new JsonDump(out);
    };
  }

  /// Called first.
  void begin(TaskDump.Head head) throws IOException;

  /// Called for each task.
  void task(TaskInfo task) throws IOException;

  /// Called last, if the loop answered every request.
  void end() throws IOException;

  /// Called last, if the loop did not answer in time.
  void noAnswer(LoopSnapshot seen) throws IOException;
}
