package dev.rondo.examples.system;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.file.DirectoryChange;
import dev.rondo.io.file.DirectoryListing;
import dev.rondo.io.file.DirectoryWatch;
import dev.rondo.io.file.FileInput;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.scheduler.Selection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// A notebook in a folder: notes are appended and forced to the disk, replaced, linked, dated,
/// protected, watched, listed, sent through a socket, and deleted. No operation blocks the loop.
final class Notebook {

  private static final int LONGEST_LINE_BYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Application app;
  private final WaitForFile files;
  private final Path folder;
  private final List<String> story = new ArrayList<>();

  private Notebook(Application app, Path folder) {
    this.app = app;
    this.files = WaitForFile.on(app.scheduler());
    this.folder = folder;
  }

  static void main() {
    Application.run(app -> {
      Path parent = Files.createTempDirectory("notebook");
      try {
        keep(app, parent.resolve("notes/today")).forEach(IO::println);
      } finally {
        Files.deleteIfExists(parent.resolve("notes"));
        Files.delete(parent);
      }
    });
  }

  /// Keeps a notebook in a folder that does not exist before and after.
  static List<String> keep(Application app, Path folder) throws Exception {
    var notebook = new Notebook(app, folder);
    notebook.files.createDirectories(folder);
    Path notes = folder.resolve("notes.txt");
    try (DirectoryWatch watch = notebook.files.watch(folder)) {
      notebook.append(notes, "milk");
      DirectoryChange first = watch.await().getFirst();
      notebook.story.add("first change: " + first.getClass().getSimpleName());
      notebook.append(notes, "bread");
      notebook.tellChange(watch);
    }
    notebook.correct(notes);
    notebook.read(notes);
    notebook.replace(notes);
    notebook.send(notes);
    notebook.protect(notes);
    notebook.throwAway();
    return notebook.story;
  }

  /// Returns when the note is on the disk.
  private void append(Path notes, String note) throws IOException {
    try (OpenFile file =
        files.open(
            notes,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      file.write(bytes(note + "\n"));
      file.syncData();
    }
  }

  private void tellChange(DirectoryWatch watch) {
    Selection<?> more = app.select(watch.changing(), app.time().after(PATIENCE));
    story.add("more changes: " + (more.value() instanceof List));
  }

  /// Writes in the middle of a file, and cuts its end off.
  private void correct(Path notes) throws IOException {
    try (OpenFile file = files.open(notes, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.write(bytes("M"), 0);
      file.truncate(file.size() - 1).sync();
      var head = ByteBuffer.allocate(4);
      file.read(head, 0);
      story.add("head: " + StandardCharsets.UTF_8.decode(head.flip()));
    }
  }

  private void read(Path notes) throws IOException {
    try (FileInput input = files.open(notes).input()) {
      for (String line; (line = input.readLine(LONGEST_LINE_BYTES)) != null; ) {
        story.add("note: " + line);
      }
    }
  }

  /// Readers see either the old content or the new content.
  private void replace(Path notes) throws IOException {
    Path next = folder.resolve("notes.new");
    files.writeAll(next, "Milk\nbread\nbutter".getBytes(StandardCharsets.UTF_8));
    files.copy(notes, folder.resolve("notes.old"));
    files.move(next, notes, StandardCopyOption.ATOMIC_MOVE);
    story.add("size: " + files.attributes(notes).size());
  }

  /// The system sends the file: its bytes do not pass through this process.
  private void send(Path notes) throws Exception {
    try (TcpListener listener = app.listen(0);
        TcpSocket reader = app.connect("127.0.0.1", listener.port());
        TcpSocket writer = listener.accept();
        OpenFile file = files.open(notes)) {
      story.add("sent: " + file.transferTo(0, Long.MAX_VALUE, writer));
      writer.shutdownOutput();
      story.add("received: " + reader.input().readAllBytes().length);
    }
  }

  /// `run` does what has no method of its own.
  private void protect(Path notes) throws IOException {
    Path link = folder.resolve("latest");
    files.run("link", link, () -> Files.createSymbolicLink(link, notes.getFileName()));
    files.run("date", notes, () -> Files.setLastModifiedTime(notes, FileTime.from(Instant.EPOCH)));
    files.run(
        "protect",
        notes,
        () -> Files.setPosixFilePermissions(notes, PosixFilePermissions.fromString("r--------")));
    story.add("modified: " + files.attributes(link).lastModifiedTime());
  }

  private void throwAway() throws IOException {
    var names = new TreeSet<Path>();
    try (DirectoryListing listing = files.list(folder)) {
      for (Path each; (each = listing.next()) != null; ) {
        names.add(each);
      }
    }
    for (Path each : names) {
      files.delete(each);
      story.add("deleted: " + each.getFileName());
    }
    files.delete(folder);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
