package com.acme.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// What programs do with files.
public final class FilesOfProgram {

  private FilesOfProgram() {}

  /// Appends a line to a file, and forces it to the disk.
  ///
  /// @return how many lines it has
  public static int append(String file) throws IOException {
    Path path = Path.of(file);
    Files.writeString(path, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (var channel = FileChannel.open(path, StandardOpenOption.WRITE);
        var folder = FileChannel.open(path.toAbsolutePath().getParent())) {
      channel.force(true);
      folder.force(true);
    }
    return Files.readAllLines(new File(file).toPath()).size();
  }

  /// {@return what is read of a file by its URI, in several ways}
  ///
  /// @param folder where it is made
  public static List<String> byUri(String folder) throws IOException {
    Path file = Path.of(folder).resolve("a file");
    Path _ = Files.writeString(file, "text");
    URI uri = file.toUri();
    try (var stream = uri.toURL().openStream()) {
      return List.of(
          Files.readString(Path.of(uri)),
          Files.readString(Paths.get(uri)),
          Files.readString(Path.of(new File(file.toString()).toURI())),
          Files.readString(new File(uri).toPath()),
          new String(stream.readAllBytes(), UTF_8),
          uri.toString().replace(folder, ".."),
          Path.of(folder).toUri().toString().replace(folder, ".."));
    }
  }

  /// {@return whether all ways to a file lead to the same disk}
  public static boolean isOneDisk() throws IOException {
    Path file = Files.createTempFile("a", ".txt");
    Path folder = Files.createTempDirectory("b");
    return Files.exists(Paths.get(file.toString()))
        && Files.exists(FileSystems.getDefault().getPath(folder.toString()))
        && Files.exists(new File(file.toString()).toPath());
  }

  /// {@return what streams, as programs had them before Java 7, say about a folder}
  public static List<String> streams(String folder) throws IOException {
    var told = new ArrayList<String>();
    var data = new File(folder, "data");
    told.add("made " + data.mkdirs() + " " + data.mkdirs());
    var file = new File(data, "a.txt");
    try (var out = new PrintWriter(new FileWriter(file, UTF_8))) {
      out.println("one");
    }
    try (var out = new FileOutputStream(file, true)) {
      out.write("two".getBytes(UTF_8));
      out.getFD().sync();
    }
    try (var in = new FileInputStream(file);
        var out = new FileOutputStream(new File(data, "b.txt"))) {
      told.add("has " + in.available() + " of " + file.length() + ", skips " + in.skip(4));
      in.transferTo(out);
    }
    try (var in = new Scanner(new File(data, "b.txt"), UTF_8)) {
      told.add("reads " + in.nextLine());
    }
    var names = data.list();
    Arrays.sort(names);
    told.add("lists " + List.of(names));
    told.add("renames " + file.renameTo(new File(data, "c.txt")) + ", there " + file.exists());
    told.add("deletes " + new File(data, "c.txt").delete() + " " + data.delete());
    told.add("same " + Files.exists(data.toPath().resolve("b.txt")));
    try {
      new FileReader(file, UTF_8).close();
    } catch (FileNotFoundException e) {
      told.add(e.getMessage());
    }
    return told;
  }

  /// {@return the channels of streams, which are closed in the place of the streams}
  @SuppressWarnings("resource")
  public static List<WeakReference<FileChannel>> left() throws IOException {
    var left = new ArrayList<WeakReference<FileChannel>>();
    for (FileChannel each :
        List.of(
            new FileOutputStream("/left").getChannel(),
            new FileInputStream("/left").getChannel(),
            new RandomAccessFile("/left", "rw").getChannel())) {
      each.close();
      left.add(new WeakReference<>(each));
    }
    return left;
  }

  /// {@return what a `RandomAccessFile` says}
  public static List<String> random(String name) throws IOException {
    var told = new ArrayList<String>();
    try (var file = new RandomAccessFile(name, "rw")) {
      file.writeUTF("text");
      file.writeLong(7);
      file.setLength(20);
      told.add("at " + file.getFilePointer() + " of " + file.length());
      file.seek(0);
      told.add(file.readUTF() + " " + file.readLong());
      file.seek(file.length());
      file.writeBytes("a line\r\nb");
      file.seek(20);
      told.add(file.readLine() + " " + file.readLine() + " " + file.readLine());
      ByteBuffer last = ByteBuffer.allocate(1);
      file.getChannel().position(28).read(last);
      told.add("last " + (char) last.get(0) + ", at " + file.getFilePointer());
    }
    try (var file = new RandomAccessFile(name, "r")) {
      file.write(1);
    } catch (IOException e) {
      told.add("not written");
    }
    return told;
  }

  /// {@return what is in a jar that the program makes, and reads twice}
  public static List<String> jar(String text) throws IOException {
    var told = new ArrayList<String>();
    File file = File.createTempFile("made", ".jar");
    try (var out = new ZipOutputStream(new FileOutputStream(file))) {
      out.putNextEntry(new ZipEntry("a.txt"));
      out.write(text.getBytes(UTF_8));
    }
    var left = new ZipFile(file); // open when the process ends
    told.add(new String(left.getInputStream(left.getEntry("a.txt")).readAllBytes(), UTF_8));
    try (var loader = new URLClassLoader(new URL[] {file.toURI().toURL()}, null)) {
      told.add(new String(loader.getResourceAsStream("a.txt").readAllBytes(), UTF_8));
    }
    return told;
  }

  /// {@return what the program finds of its class path}
  ///
  /// @param resource of the class path
  public static List<String> classPath(String resource) throws IOException {
    String name = ClassLoader.getSystemResource(resource).getPath();
    var file = new File(name);
    var told = new ArrayList<String>();
    told.add("file " + file.isFile() + ", path " + Files.exists(Path.of(name)));
    try (var in = new FileInputStream(file)) {
      told.add("as long " + (in.readAllBytes().length == file.length()));
    }
    told.add("deletes " + file.delete() + ", makes " + new File(file.getParent(), "x").mkdir());
    try {
      new FileOutputStream(new File(file.getParent(), "x")).close();
    } catch (FileNotFoundException e) {
      told.add("not written");
    }
    return told;
  }

  /// {@return where relative names and those of properties lead}
  public static List<String> places() throws IOException {
    try (var out = new FileOutputStream("here")) {
      out.write(7);
    }
    try (var out = new FileOutputStream(System.getProperty("java.io.tmpdir") + "/there")) {
      out.write(7);
    }
    return List.of(
        new File("here").getAbsolutePath(),
        new File("./a/../here").getCanonicalPath(),
        "" + new File(System.getProperty("user.dir"), "here").exists(),
        "" + Files.exists(Path.of("/here")),
        "" + new File(System.getProperty("user.home")).isDirectory());
  }

  /// {@return what is in a file that is mapped}
  public static String mapped(String name) throws IOException {
    Path path = Path.of(name);
    Files.writeString(path, "a text");
    try (FileChannel file = FileChannel.open(path)) {
      return UTF_8.decode(file.map(FileChannel.MapMode.READ_ONLY, 2, 4)).toString();
    }
  }

  /// Unpacks a library of native code, as those do that have one in their jar.
  ///
  /// @return whether it was loaded
  @SuppressWarnings("restricted")
  public static boolean library() throws IOException {
    String name = System.mapLibraryName("prefs");
    Path unpacked = Files.createTempDirectory("natives").resolve(name);
    Files.copy(Path.of(System.getProperty("java.home"), "lib", name), unpacked);
    System.load(unpacked.toString());
    return true;
  }

  /// Waits for input.
  public static int input() throws IOException {
    return new FileInputStream(FileDescriptor.in).read();
  }

  /// {@return what a file of the disk is as a `File`}
  public static List<String> fileOfPath() throws IOException {
    File folder = Files.createTempDirectory("a").toFile();
    var file = new File(folder, "b");
    return List.of("" + folder.isDirectory(), "" + file.createNewFile(), "" + file.exists());
  }

  /// {@return what a log has in a file that stays open, and the number of the record}
  public static List<String> log() throws IOException {
    var record = new LogRecord(Level.INFO, "said");
    var handler = new FileHandler("/app.log");
    handler.setFormatter(new SimpleFormatter());
    var log = Logger.getAnonymousLogger();
    log.addHandler(handler);
    log.log(record);
    return List.of(Files.readString(Path.of("/app.log")), "" + record.getSequenceNumber());
  }

  /// {@return what files say that have no possible name}
  public static List<String> impossible() {
    var file = new File("a\0b");
    return Stream.of(
            file.exists(),
            file.isFile(),
            file.isDirectory(),
            file.canRead(),
            file.canWrite(),
            file.delete(),
            file.mkdir(),
            file.renameTo(new File("/b")),
            file.length() > 0)
        .map(String::valueOf)
        .distinct()
        .toList();
  }

  /// A change of a file of the computer, next to one of the class path.
  public interface Change {

    /// Makes it.
    ///
    /// @param beside a name that no file has
    void make(Path file, Path beside) throws IOException;
  }

  /// {@return all ways to change files}
  public static List<Change> changes() {
    return List.of(
        (_, beside) -> Files.writeString(beside, "text"),
        (file, _) -> Files.newByteChannel(file, StandardOpenOption.WRITE).close(),
        (file, _) -> FileChannel.open(file, StandardOpenOption.APPEND).close(),
        (_, beside) -> Files.createFile(beside),
        (_, beside) -> Files.createDirectories(beside),
        (file, beside) -> Files.createLink(beside, file),
        (file, beside) -> Files.createSymbolicLink(beside, file),
        (file, beside) -> Files.copy(file, beside),
        (file, beside) -> Files.move(file, beside),
        (file, _) -> Files.delete(file),
        (file, _) -> Files.deleteIfExists(file),
        (file, _) -> Files.setLastModifiedTime(file, FileTime.fromMillis(0)),
        (_, beside) -> {
          URI jar = URI.create("jar:" + beside.toUri());
          try (var zip = FileSystems.newFileSystem(jar, Map.of("create", true))) {
            Files.writeString(zip.getPath("a"), "text");
          }
        });
  }
}
