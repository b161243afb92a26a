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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of programs: those of `java.nio.file` are on the host's disk, others are not written.
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

  @Test
  void fileOutputStream_isRefused() {
    failure(() -> FilesOfProgram.stream(file()), "a FileOutputStream (use java.nio.file");
    assertFalse(Files.exists(Path.of(file())));
  }

  @Test
  void randomAccessFile_thatIsWritten_isRefused_evenIfTheProgramGoesOn() {
    failure(() -> FilesOfProgram.random(file()), "a RandomAccessFile that is written");
    assertFalse(Files.exists(Path.of(file())));
  }

  @Test
  void input_ofTheJvm_isRefused() {
    failure(FilesOfProgram::input, "System.in is not part of the simulation");
  }

  @Test
  void delete_ofAFile_isRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    failure(() -> FilesOfProgram.delete(file.toString()), "File.delete (use java.nio.file");
    assertTrue(Files.exists(file));
  }
}
