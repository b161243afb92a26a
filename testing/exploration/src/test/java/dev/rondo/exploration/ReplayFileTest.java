package dev.rondo.exploration;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// Files of replays, and what a run that diverges says of both programs.
@EveryBackend
final class ReplayFileTest {

  private static final int FAILING = 7;

  @Parameter(0)
  CoroutineBackend backend;

  @TempDir private Path directory;

  /// What a test changes between a run and its repetition.
  private boolean changed;

  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("test.replay");
  }

  // The program. Its last choice decides, so all those before it are in the shrunk run.

  private void program(Choices choices) {
    try (Scheduler scheduler =
        Scheduler.builder().backend(backend).policy(choices::policy).build()) {
      for (String name : List.of("a", "b", "c")) {
        scheduler.spawn(
            name,
            () -> {
              if (changed && name.equals("c")) {
                returnsAtOnce();
              } else {
                givesWay(scheduler);
              }
            });
      }
      scheduler.start();
    }
    draws(choices);
  }

  private static void givesWay(Scheduler scheduler) {
    scheduler.yield();
  }

  private static void returnsAtOnce() {}

  private static void draws(Choices choices) {
    if (choices.nextInt(10) == FAILING) {
      throw new IllegalStateException("drawn");
    }
  }

  private ChoiceSequence recorded() {
    return new Explorer(Strategy.uniform(5)).explore(this::program).shrunk().orElseThrow();
  }

  private ReplayDivergedException diverged(ChoiceSequence recorded) {
    Explorer replay = new Explorer(Strategy.replay(recorded));
    return assertThrows(ReplayDivergedException.class, () -> replay.explore(this::program));
  }

  private ChoiceSequence read() {
    return ChoiceSequence.parse("@" + file);
  }

  // Divergence.

  /// All tasks have given way once; the third, in the changed program, has ended instead.
  @Test
  void replay_ofAFile_codeHasChanged_saysBothStacks() throws IOException {
    recorded().writeTo(file);
    changed = true;
    ReplayDivergedException diverged = diverged(read());
    String message = diverged.getMessage();
    int here = message.indexOf("\nthis run draws one, among 'a', 'b', after a turn of 'c':\n");
    assertTrue(here > 0, message);
    String recorded = message.substring(0, here);
    assertEquals(
        "the replay diverges at choice 4 of 6: recorded was TASK 0 of 3, id 1, and the run asks for"
            + " TASK, one of 2",
        message.lines().findFirst().orElseThrow());
    assertTrue(
        recorded.contains(
            "\nthe recorded run has drawn it, 'a' among 'a', 'b', 'c', after a turn of 'c':"),
        recorded);
    assertTrue(recorded.contains("ReplayFileTest.givesWay(ReplayFileTest.java:"), recorded);
    String asked = message.substring(here);
    assertFalse(asked.contains("givesWay"), asked);
    assertTrue(asked.contains("ReplayFileTest.program(ReplayFileTest.java:"), asked);
    assertEquals("givesWay", diverged.getCause().getStackTrace()[0].getMethodName());
    assertEquals(3, diverged.index());
  }

  @Test
  void replay_ofAFile_drawsElsewhere_saysBothStacks() throws IOException {
    recorded().writeTo(file);
    var elsewhere = new Explorer(Strategy.replay(read()));
    var diverged =
        assertThrows(
            ReplayDivergedException.class,
            () ->
                elsewhere.explore(choices -> {
                  program(Choices.replay(ChoiceSequence.empty()));
                  draws(choices);
                }));
    String message = diverged.getMessage();
    assertEquals(0, diverged.index());
    assertTrue(message.contains("recorded was TASK 0 of 3, id 1, and the run asks for RANDOM"));
    assertTrue(message.contains("\nthis run draws one:\n    at "), message);
    assertTrue(
        message.substring(message.indexOf("this run")).contains("ReplayFileTest.draws("), message);
  }

  @Test
  void replay_ofAFile_runEndsEarly_saysWhereTheOtherWentOn() throws IOException {
    recorded().writeTo(file);
    var replay = new Explorer(Strategy.replay(read()));
    var diverged = assertThrows(ReplayDivergedException.class, () -> replay.explore(choices -> {}));
    String message = diverged.getMessage();
    assertTrue(message.contains("and the run has ended\nthe recorded run has drawn it, 'a'"));
    assertFalse(message.contains("this run"), message);
  }

  @Test
  void replay_ofAText_codeHasChanged_saysOneStack() {
    String text = recorded().print();
    changed = true;
    String message = diverged(ChoiceSequence.parse(text)).getMessage();
    assertTrue(message.contains("where the recorded run has drawn it is not known"), message);
    assertTrue(message.contains("\nthis run draws one, among 'a', 'b', after"), message);
    assertFalse(message.contains("givesWay"), message);
  }

  @Test
  void replay_ofAFile_codeIsTheSame_fails() throws IOException {
    recorded().writeTo(file);
    Exploration again = new Explorer(Strategy.replay(read())).explore(this::program);
    assertEquals("drawn", again.failure().orElseThrow().getMessage());
    assertTrue(again.divergence().isEmpty());
  }

  // Files.

  private static List<ChoiceSite> sites(ChoiceSequence sequence) {
    return Stream.iterate(0, each -> each + 1).limit(sequence.size()).map(sequence::site).toList();
  }

  @Test
  void writeTo_andParse_keepChoicesAndStacks() throws IOException {
    ChoiceSequence recorded = recorded();
    recorded.writeTo(file);
    assertEquals(recorded, read());
    assertEquals(sites(recorded), sites(read()));
    assertEquals(6, sites(recorded).size());
    assertEquals(recorded.print(), Files.readAllLines(file).getFirst());
    read().writeTo(directory.resolve("again"));
    assertEquals(Files.readString(file), Files.readString(directory.resolve("again")));
  }

  @Test
  void writeTo_withoutStacks_isTheText() throws IOException {
    ChoiceSequence plain = ChoiceSequence.parse(recorded().print());
    plain.writeTo(file);
    assertEquals(plain.print() + "\n", Files.readString(file));
    assertEquals(plain, read());
    assertNull(read().site(0));
    ChoiceSequence.empty().writeTo(file);
    assertEquals(ChoiceSequence.empty(), read());
  }

  @Test
  void writeTo_manyChoices_hasTheStacksOfTheFirst() throws IOException {
    int choices = ReplayFile.MOST_SITES + 100;
    Exploration found =
        new Explorer(Strategy.uniform(1))
            .explore(drawn -> {
              for (int i = 1; i < choices; i++) {
                int _ = drawn.nextInt(10);
              }
              if (drawn.nextInt(10) == FAILING) {
                throw new IllegalStateException("drawn");
              }
            });
    found.shrunk().orElseThrow().writeTo(file);
    assertNotNull(read().site(ReplayFile.MOST_SITES - 1));
    assertNull(read().site(ReplayFile.MOST_SITES));
    assertTrue(Files.size(file) < 40L * choices, () -> file + " is too long");
  }

  @Test
  void frames_ofAnyKind_areReadAsTheyWere() throws IOException {
    var frames =
        List.of(
            new StackTraceElement("a.B$C", "<init>", "B.java", 1),
            new StackTraceElement("a.B", "lambda$c$0", "B.java", -1),
            new StackTraceElement("a.B", "unknown", null, -1),
            new StackTraceElement("a.B", "called", null, -2));
    var drawn = Choices.random(1);
    int _ = drawn.nextInt(10);
    ChoiceSequence sequence = drawn.sequence().withSites(List.of(new ChoiceSite("'a: b'", frames)));
    sequence.writeTo(file);
    assertEquals(List.of(new ChoiceSite("'a: b'", frames)), sites(read()));
  }

  @Test
  void parse_aDamagedFile_isRefused() throws IOException {
    recorded().writeTo(file);
    List<String> lines = Files.readAllLines(file);
    String frame =
        lines.stream().filter(each -> each.startsWith("  at ")).findFirst().orElseThrow();
    assertRefused(lines, "version 1", "version 2", "at line 2, need 'where its choices were drawn");
    assertRefused(lines, "TASK 0 of 3", "TASK 1 of 3", "at line 3, need 'TASK 0 of 3, id 1'");
    assertRefused(lines, frame, "  at nothing", "at line 4, need the frame of a stack");
    assertRefused(lines, frame, "  as 2", "at line 4, need the number of an earlier choice");
    assertRefused(lines, frame, "  as x", "at line 4, need the number of an earlier choice");
    assertRefused(lines, "rondo1-", "rondo9-", "a replay of version 9, this Rondo reads version 1");
    assertRefused(
        Stream.concat(lines.stream(), Stream.of("TASK 0 of 3")).toList(),
        "TASK",
        "TASK",
        "need 'no more choices'");
  }

  private void assertRefused(List<String> lines, String old, String changed, String message)
      throws IOException {
    String text = lines.stream().collect(joining("\n"));
    Files.writeString(file, text.replaceFirst(Pattern.quote(old), changed));
    var refused = assertThrows(IllegalArgumentException.class, this::read);
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }
}
