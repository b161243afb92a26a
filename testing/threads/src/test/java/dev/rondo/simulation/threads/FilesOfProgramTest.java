package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.FilesOfProgram;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.prefs.Preferences;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The files of programs: on the host's disk, but for the class path.
final class FilesOfProgramTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  private String file() {
    return folder.resolve("file").toString();
  }

  private static void failure(TaskAction<Exception> code, String why) {
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> code.run());
    String said = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR)).toString();
    assertTrue(said.contains(why), said);
  }

  @Test
  void file_isOnTheDiskOfItsHost_andOutlastsACrash() {
    String name = "/data";
    var lines = new ArrayList<Integer>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost.Main main = host -> lines.add(FilesOfProgram.append(name));
      WorldHost first = world.host("first", main);
      world.runFor(HOUR);
      first.crash();
      first.restart();
      world.host("second", main);
      world.runFor(HOUR);
      assertTrue(Files.exists(first.disk().path(name)));
    }
    assertEquals(List.of(1, 2, 1), lines);
    assertFalse(Files.exists(Path.of(name)), "it is on the computer");
  }

  @Test
  void files_ofRealThreads_areThoseOfTheComputer() throws IOException {
    assertEquals(1, FilesOfProgram.append(file()));
    assertTrue(Files.exists(Path.of(file())));
  }

  @Test
  void temporaryFiles_areOnTheSameDisk() throws IOException {
    var results = new ArrayList<Boolean>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", host -> results.add(FilesOfProgram.isOneDisk()));
      world.runFor(HOUR);
    }
    assertEquals(List.of(true), results);
  }

  private interface Program {
    List<String> run() throws Exception;
  }

  private static List<String> told(Program program) {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", host -> told.addAll(program.run()));
      world.runUntil(() -> !told.isEmpty(), HOUR);
    }
    return told;
  }

  @Test
  void uri_ofAFile_isThatOfTheDisk() throws IOException {
    List<String> real = FilesOfProgram.byUri(folder.toString());
    assertEquals(real, told(() -> FilesOfProgram.byUri("/tmp")));
    assertEquals(List.of("file://../a%20file", "file://../"), real.subList(5, 7));
  }

  @Test
  void streams_areOnTheDisk() {
    String name = folder.toString();
    assertEquals(
        List.of(
            "made true false",
            "has 7 of 7, skips 4",
            "reads two",
            "lists [a.txt, b.txt]",
            "renames true, there false",
            "deletes true false",
            "same true",
            name + "/data/a.txt (No such file or directory)"),
        told(() -> FilesOfProgram.streams(name)));
    assertFalse(Files.exists(folder.resolve("data")), "it is on the computer");
  }

  @Test
  void streams_whoseChannelIsClosed_areNotKept() {
    var left = new ArrayList<WeakReference<FileChannel>>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", _ -> left.addAll(FilesOfProgram.left()));
      world.runFor(HOUR);
      for (int i = 0; i < 10; i++) {
        System.gc();
      }
      assertEquals(3, left.size());
      assertEquals(0, left.stream().filter(each -> each.get() != null).count());
    }
  }

  @Test
  void randomAccessFile_isOnTheDisk() {
    assertEquals(
        List.of("at 14 of 20", "text 7", "a line b null", "last b, at 29", "not written"),
        told(() -> FilesOfProgram.random("/file")));
  }

  @Test
  void jar_isReadFromTheDisk_andNotThatOfAnotherWorld() {
    assertEquals(List.of("one", "one"), told(() -> FilesOfProgram.jar("one")));
    assertEquals(List.of("two", "two"), told(() -> FilesOfProgram.jar("two")));
  }

  @Test
  void mappedFile_isRead() {
    assertEquals(List.of("text"), told(() -> List.of(FilesOfProgram.mapped("/file"))));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void libraryOfNativeCode_isLoadedFromTheDisk() {
    assertEquals(List.of("true"), told(() -> List.of("" + FilesOfProgram.library())));
  }

  @Test
  void classPath_isRead_andNotWritten() {
    String resource = FilesOfProgram.class.getName().replace('.', '/') + ".class";
    assertEquals(
        List.of(
            "file true, path true", "as long true", "deletes false, makes false", "not written"),
        told(() -> FilesOfProgram.classPath(resource)));
  }

  @Test
  void relativeNames_areInTheFolderOfTheProgram() {
    assertEquals(List.of("/here", "/here", "true", "true", "true"), told(FilesOfProgram::places));
  }

  @Test
  void input_ofTheJvm_isRefused() {
    failure(FilesOfProgram::input, "System.in is not part of the simulation");
  }

  @Test
  void pathOfTheDisk_isAFile() {
    assertEquals(List.of("true", "true", "true"), told(FilesOfProgram::fileOfPath));
  }

  /// Each process begins again, though the one before has left its file open.
  @Test
  void logOfTheJdk_isThatOfTheProcess() {
    for (int run = 0; run < 2; run++) {
      List<String> log = told(FilesOfProgram::log);
      assertTrue(log.getFirst().contains("INFO: said"), log.getFirst());
      assertEquals("0", log.getLast());
    }
    assertFalse(Files.exists(Path.of("/app.log")), "it is on the computer");
  }

  @Test
  void impossibleName_isNoFile() {
    assertEquals(List.of("false"), told(FilesOfProgram::impossible));
  }

  @Test
  void preferences_areRefused() {
    String why = "java.util.prefs is not part of the simulation";
    failure(() -> Preferences.userRoot().put("key", "value"), why);
    failure(() -> Preferences.systemNodeForPackage(String.class).flush(), why);
  }

  @Test
  void fileOfTheComputer_isReadByItsPath_andNotChanged() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "text");
    Path beside = folder.resolve("beside");
    assertEquals(List.of("text"), told(() -> List.of(Files.readString(file))));
    for (FilesOfProgram.Change each : FilesOfProgram.changes()) {
      failure(() -> each.make(file, beside), "of the computer, is not part of the simulation");
      assertFalse(Files.exists(beside, LinkOption.NOFOLLOW_LINKS));
      assertEquals("text", Files.readString(file));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void copies_areWhereTheTestHasThem_andDeletedOnceLoaded() throws IOException {
    List<String> told =
        told(() -> {
          assertTrue(new File("/made").mkdir());
          System.setProperty("java.io.tmpdir", "/made");
          return List.of(FilesOfProgram.mapped("/file"), "" + FilesOfProgram.library());
        });
    assertEquals(List.of("text", "true"), told);
    List<String> loaded =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(each -> each.contains("librondo-"))
            .toList();
    assertFalse(loaded.isEmpty());
    assertTrue(loaded.stream().allMatch(each -> each.endsWith("(deleted)")), loaded.toString());
  }
}
