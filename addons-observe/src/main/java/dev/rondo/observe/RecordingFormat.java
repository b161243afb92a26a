package dev.rondo.observe;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The format of a written [Recording]: lines of fields between tabs. In a field, a backslash, a
/// tab and the ends of lines are written as `\\`, `\t`, `\n` and `\r`. A field that is null is
/// `\0`.
///
/// | line | fields |
/// |---|---|
/// | `rondo-recording` | version, number of events before the first |
/// | `task` | key, lane, id, name, state, waitingFor, holder |
/// | `event` | number, nanoseconds, kind, lane, key of task, key of other, peer, cause, text, detail |
/// | `at` | a frame of the task or event above |
final class RecordingFormat {

  private static final String MAGIC = "rondo-recording";
  private static final String VERSION = "1";
  private static final String NULL = "\\0";

  private static final int HEAD_FIELDS = 3;
  private static final int TASK_FIELDS = 8;
  private static final int EVENT_FIELDS = 11;
  private static final int FRAME_FIELDS = 2;

  private RecordingFormat() {}

  // Writing.

  static String write(Recording recording) {
    var text = new StringBuilder();
    line(text, MAGIC, VERSION, Long.toString(recording.overwritten()));
    for (RecordedTask each : recording.tasks()) {
      TaskState state = each.state();
      line(
          text,
          "task",
          Long.toString(each.key()),
          each.lane(),
          Long.toString(each.id()),
          each.name(),
          state == null ? null : state.name(),
          each.waitingFor(),
          each.holder());
      each.stack().forEach(frame -> line(text, "at", frame));
    }
    for (RecordedEvent each : recording.events()) {
      line(
          text,
          "event",
          Long.toString(each.number()),
          Long.toString(each.at().toNanos()),
          each.kind().name(),
          each.lane(),
          keyOf(each.task()),
          keyOf(each.other()),
          each.peer(),
          Long.toString(each.cause()),
          each.text(),
          each.detail());
      each.stack().forEach(frame -> line(text, "at", frame));
    }
    return text.toString();
  }

  private static @Nullable String keyOf(@Nullable RecordedTask task) {
    return task == null ? null : Long.toString(task.key());
  }

  private static void line(StringBuilder text, @Nullable String... fields) {
    for (int i = 0; i < fields.length; i++) {
      if (i > 0) {
        text.append('\t');
      }
      String field = fields[i];
      if (field == null) {
        text.append(NULL);
      } else {
        escape(text, field);
      }
    }
    text.append('\n');
  }

  private static void escape(StringBuilder text, String field) {
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\t' -> text.append("\\t");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        default -> text.append(c);
      }
    }
  }

  // Reading.

  static Recording read(String text, Path file) throws IOException {
    var reader = new Reader();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (line.isEmpty()) {
        continue;
      }
      try {
        reader.read(line.split("\t", -1));
      } catch (RuntimeException e) {
        throw new IOException(
            "%s, line %d: %s".formatted(file, number, ReportText.escaped(reason(e))), e);
      }
    }
    if (!reader.begun) {
      throw new IOException(file + " is empty, so it is not a recording");
    }
    return reader.recording();
  }

  private static String reason(RuntimeException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private static final class Reader {

    private boolean begun;
    private long overwritten;
    private final Map<Long, RecordedTask> tasks = new HashMap<>();
    private final List<Long> order = new ArrayList<>();
    private final List<RecordedEvent> events = new ArrayList<>();

    /// Adds a frame to the last task or event.
    private @Nullable FrameTarget last;

    private interface FrameTarget {
      void add(List<String> frames);
    }

    private final List<String> frames = new ArrayList<>();

    void read(String[] fields) {
      if (!begun) {
        begin(fields);
        return;
      }
      switch (fields[0]) {
        case "task" -> task(require(fields, TASK_FIELDS));
        case "event" -> event(require(fields, EVENT_FIELDS));
        case "at" -> frame(require(fields, FRAME_FIELDS));
        default -> throw new IllegalArgumentException("unknown kind of line: " + fields[0]);
      }
    }

    private void begin(String[] fields) {
      if (!fields[0].equals(MAGIC)) {
        throw new IllegalArgumentException(
            "a recording begins with '" + MAGIC + "', but this file with '" + fields[0] + "'");
      }
      if (fields.length < HEAD_FIELDS || !fields[1].equals(VERSION)) {
        throw new IllegalArgumentException(
            "version "
                + (fields.length > 1 ? fields[1] : "?")
                + " is not supported, only "
                + VERSION);
      }
      overwritten = Long.parseLong(fields[2]);
      begun = true;
    }

    private static String[] require(String[] fields, int count) {
      if (fields.length != count) {
        throw new IllegalArgumentException(
            "a line '%s' has %d fields, not %d".formatted(fields[0], count, fields.length));
      }
      return fields;
    }

    private void task(String[] fields) {
      endFrames();
      long key = Long.parseLong(fields[1]);
      String state = unescape(fields[5]);
      var made =
          new RecordedTask(
              key,
              required(fields[2]),
              Long.parseLong(fields[3]),
              required(fields[4]),
              state == null ? null : TaskState.valueOf(state),
              unescape(fields[6]),
              unescape(fields[7]),
              List.of());
      order.add(key);
      tasks.put(key, made);
      last =
          found ->
              tasks.put(
                  key,
                  new RecordedTask(
                      key,
                      made.lane(),
                      made.id(),
                      made.name(),
                      made.state(),
                      made.waitingFor(),
                      made.holder(),
                      found));
    }

    private void event(String[] fields) {
      endFrames();
      long number = Long.parseLong(fields[1]);
      Duration at = Duration.ofNanos(Long.parseLong(fields[2]));
      var kind = RecordedEvent.Kind.valueOf(fields[3]);
      String lane = required(fields[4]);
      RecordedTask task = taskOf(fields[5]);
      RecordedTask other = taskOf(fields[6]);
      String peer = required(fields[7]);
      long cause = Long.parseLong(fields[8]);
      String text = required(fields[9]);
      String detail = required(fields[10]);
      last =
          found ->
              events.add(
                  new RecordedEvent(
                      number, at, kind, lane, task, other, peer, cause, text, detail, found));
    }

    private void frame(String[] fields) {
      if (last == null) {
        throw new IllegalArgumentException("a frame that belongs to no task or event");
      }
      frames.add(required(fields[1]));
    }

    /// Ends the frames of the last task or event.
    private void endFrames() {
      FrameTarget target = last;
      if (target != null) {
        target.add(List.copyOf(frames));
      }
      frames.clear();
      last = null;
    }

    private @Nullable RecordedTask taskOf(String field) {
      String key = unescape(field);
      if (key == null) {
        return null;
      }
      RecordedTask found = tasks.get(Long.parseLong(key));
      if (found == null) {
        throw new IllegalArgumentException("no task has the key " + key);
      }
      return found;
    }

    private static String required(String field) {
      String value = unescape(field);
      if (value == null) {
        throw new IllegalArgumentException("a field is null that must have a value");
      }
      return value;
    }

    private static @Nullable String unescape(String field) {
      if (field.equals(NULL)) {
        return null;
      }
      var text = new StringBuilder(field.length());
      boolean escaped = false;
      for (int i = 0; i < field.length(); i++) {
        char c = field.charAt(i);
        if (escaped) {
          text.append(meaning(c));
          escaped = false;
        } else if (c == '\\') {
          escaped = true;
        } else {
          text.append(c);
        }
      }
      if (escaped) {
        throw new IllegalArgumentException("a backslash at the end of a field");
      }
      return text.toString();
    }

    /// The meaning of a character behind a backslash.
    private static char meaning(char escaped) {
      return switch (escaped) {
        case '\\' -> '\\';
        case 't' -> '\t';
        case 'n' -> '\n';
        case 'r' -> '\r';
        default -> throw new IllegalArgumentException("unknown escape: \\" + escaped);
      };
    }

    Recording recording() {
      endFrames();
      return new Recording(events, order.stream().map(key -> tasks.get(key)).toList(), overwritten);
    }
  }
}
