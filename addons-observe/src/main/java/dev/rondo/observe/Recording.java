package dev.rondo.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The last events of a scheduler, or of several, kept by a [Recorder], and the tasks that the
/// events name or that were alive. Immutable.
///
/// @param events in their order
/// @param tasks in the order in which the events name them, then the others
/// @param overwritten the number of events before the first, which are lost
public record Recording(List<RecordedEvent> events, List<RecordedTask> tasks, long overwritten) {

  private static final int MOST_BYTES = 1 << 28;

  /// Copies both lists.
  public Recording {
    events = List.copyOf(requireNonNull(events, "events is null"));
    tasks = List.copyOf(requireNonNull(tasks, "tasks is null"));
  }

  /// Writes the recording to a file, as text in UTF-8 with one line for each task, event and stack
  /// frame. The first line has the version of the format. Half of a surrogate pair is written as a
  /// question mark.
  ///
  /// @param file replaced if it exists
  /// @throws IOException if it cannot be written
  public void writeTo(Path file) throws IOException {
    requireNonNull(file, "file is null");
    Files.write(file, RecordingFormat.write(this).getBytes(UTF_8));
  }

  /// {@return a recording that was written to a file}
  ///
  /// @param file from [#writeTo(Path)]
  /// @throws IOException if the file cannot be read, is not a recording, is damaged, or has a
  ///   version that this method does not know; the message has the line. Also if the file has more
  ///   than 268,435,456 bytes, or is not a regular file
  public static Recording read(Path file) throws IOException {
    requireNonNull(file, "file is null");
    if (Files.size(file) > MOST_BYTES || !Files.isRegularFile(file)) {
      throw new IOException("%s is no regular file of up to %,d bytes".formatted(file, MOST_BYTES));
    }
    return RecordingFormat.read(Files.readString(file), file);
  }
}
