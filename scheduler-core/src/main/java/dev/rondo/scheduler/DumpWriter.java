package dev.rondo.scheduler;

import java.io.IOException;

/// Writes a [TaskDump], task by task, and keeps nothing.
sealed interface DumpWriter permits TextDump, JsonDump, JfrRecorder.EventDump {

  static DumpWriter of(DumpFormat format, Appendable out) {
    return switch (format) {
      case TEXT -> new TextDump(out);
      case JSON -> new JsonDump(out);
    };
  }

  /// Comes first.
  void begin(TaskDump.Head head) throws IOException;

  void task(TaskInfo task) throws IOException;

  /// Comes last, if the loop answered.
  void end() throws IOException;

  /// Comes last, if it did not.
  void noAnswer(LoopSnapshot seen) throws IOException;
}
