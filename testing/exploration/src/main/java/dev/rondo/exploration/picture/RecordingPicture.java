package dev.rondo.exploration.picture;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.observe.Recording;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Shows a [Recording] to people: as text, as a diagram, as a page for a browser. Any thread.
public final class RecordingPicture {

  private static final String USAGE =
      "usage: RecordingPicture <file of a recording> [<page to write, .html or .svg>]";

  private static final int EVENTS_OF_NOTE = 60;

  private RecordingPicture() {}

  /// {@return the last events as text, one line each, for the message of a failure} What the tasks
  /// that live wait for comes first, so that the last line is the last event.
  ///
  /// @param recording what to show
  /// @param lines how many events at most, at least one
  /// @throws IllegalArgumentException if it is less
  public static String text(Recording recording, int lines) {
    requireNonNull(recording, "recording is null");
    return new TimelineText(recording, requirePositive("lines", lines), false).make();
  }

  /// {@return the last events as a diagram, an SVG in one file} It has the colours of a light
  /// screen or of a dark one, as the reader prefers.
  ///
  /// @param recording what to show
  /// @param rows how many events at most, at least one
  /// @throws IllegalArgumentException if it is less
  public static String svg(Recording recording, int rows) {
    requireNonNull(recording, "recording is null");
    List<Row> all = Row.of(recording.events());
    int from = Math.max(0, all.size() - requirePositive("rows", rows));
    return new SvgDiagram(all, from, all.size()).make(true);
  }

  private static int requirePositive(String name, int number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "%s must be at least 1: %s=%d".formatted(name, name, number));
    }
    return number;
  }

  /// {@return the last events as a page in HTML that loads nothing} With more than 6,000 events it
  /// shows the last ones.
  ///
  /// @param recording what to show
  /// @param title of the page
  public static String html(Recording recording, String title) {
    requireNonNull(recording, "recording is null");
    return new HtmlPage(recording, requireNonNull(title, "title is null")).make();
  }

  /// Keeps a recording and its page in the directory that the system property `rondo.pictures`
  /// names, or in `target/rondo`, and describes it. The recording has the ending `.recording`.
  ///
  /// @param recording up to the failure
  /// @param name of what has failed: the title of the page, and, with a hyphen for everything but
  ///   letters and digits, the name of both files, which are replaced if they exist
  /// @return a note to be suppressed in the failure: the last events, without the turns of tasks if
  ///   there are messages between hosts, and the path of the page or why there is none
  public static Throwable note(Recording recording, String name) {
    String text = new TimelineText(recording, EVENTS_OF_NOTE, true).make();
    try {
      text += "drawn in " + keep(recording, requireNonNull(name, "name is null"));
    } catch (IOException e) {
      text += "not drawn: " + e;
    }
    return new RecordingNote(text);
  }

  /// {@return the page}
  static Path keep(Recording recording, String name) throws IOException {
    recording.writeTo(FailureFiles.file(name, ".recording"));
    return Files.writeString(FailureFiles.file(name, ".html"), html(recording, name));
  }

  /// Has no stack: its message is all there is to say.
  private static final class RecordingNote extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    RecordingNote(String text) {
      super(text, null, false, false);
    }
  }

  /// Writes the picture of a recording that is in a file.
  ///
  /// @param args the file that [Recording#writeTo] has written, and the page to write, whose name
  ///   ends with `.html` or `.svg`; without it the text goes to standard output
  /// @throws IOException if the one cannot be read, or the other not be written
  public static void main(String[] args) throws IOException {
    requireNonNull(args, "args is null");
    if (args.length < 1 || args.length > 2) {
      throw new IllegalArgumentException(USAGE);
    }
    Path file = Path.of(args[0]);
    Recording recording = Recording.read(file);
    if (args.length == 1) {
      System.out.print(text(recording, Integer.MAX_VALUE));
      return;
    }
    boolean diagram = args[1].endsWith(".svg");
    Files.writeString(
        Path.of(args[1]),
        diagram ? svg(recording, Integer.MAX_VALUE) : html(recording, file.toString()));
  }
}
