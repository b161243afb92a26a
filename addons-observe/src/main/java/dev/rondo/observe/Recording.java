package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The last events of a scheduler, or of several, as a [Recorder] has kept them, and the tasks that
/// the events name or that lived then. Immutable.
///
/// @param events in their order
/// @param tasks in the order in which the events name them, then the others
/// @param overwritten how many events came before the first, and are lost
public record Recording(List<RecordedEvent> events, List<RecordedTask> tasks, long overwritten) {

  private static final int MOST_BYTES = 1 << 28;

  /// Copies both lists.
  public Recording {
    events = List.copyOf(requireNonNull(events, "events is null"));
    tasks = List.copyOf(requireNonNull(tasks, "tasks is null"));
  }

  /// Writes it to a file, as text in UTF-8, one line for each task, event and frame of a stack; the
  /// first line has the version of the format.
  ///
  /// @param file is replaced if there is one
  /// @throws IOException if it cannot be written
  public void writeTo(Path file) throws IOException {
    Files.writeString(requireNonNull(file, "file is null"), RecordingFormat.write(this));
  }

  /// {@return a recording that was written to a file}
  ///
  /// @param file from [#writeTo(Path)]
  /// @throws IOException if it cannot be read, is no recording, is damaged, or has a version that
  ///   this method does not know; the message has the line. So it does if the file has more than
  ///   268,435,456 bytes, or is not a regular one
  public static Recording read(Path file) throws IOException {
    requireNonNull(file, "file is null");
    if (Files.size(file) > MOST_BYTES || !Files.isRegularFile(file)) {
      throw new IOException("%s is no regular file of up to %,d bytes".formatted(file, MOST_BYTES));
    }
    return RecordingFormat.read(Files.readString(file), file);
  }
}
