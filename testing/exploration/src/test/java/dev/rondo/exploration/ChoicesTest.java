package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

class ChoicesTest {

  private static Choices zeros() {
    return Choices.replay(ChoiceSequence.empty());
  }

  private static List<Integer> draw(Choices choices) {
    return IntStream.range(0, 100).mapToObj(_ -> choices.choose(ChoiceKind.RANDOM, 10)).toList();
  }

  @Test
  void choose_sameSeed_sameChoices() {
    assertEquals(draw(Choices.random(7)), draw(Choices.random(7)));
    assertNotEquals(draw(Choices.random(7)), draw(Choices.random(8)));
    assertTrue(draw(Choices.random(7)).stream().allMatch(it -> it >= 0 && it < 10));
  }

  @Test
  void choose_fromNothing_fails() {
    Choices choices = Choices.random(7);
    var e =
        assertThrows(IllegalArgumentException.class, () -> choices.choose(ChoiceKind.RANDOM, 0));
    assertEquals("count must be at least 1: count=0", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> choices.nextInt(3, 3));
    assertEquals("origin must be less than bound: origin=3, bound=3", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> choices.nextLong(0));
    assertEquals("bound must be positive: bound=0", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> choices.chance(ChoiceKind.FAULT, 1.5));
    assertEquals("probability must be from 0 to 1: probability=1.5", e.getMessage());
    assertEquals(0, choices.size());
  }

  @Test
  void choices_withoutAnAlternative_areNone() {
    Choices choices = Choices.random(7);
    assertEquals(0, choices.choose(ChoiceKind.RANDOM, 1));
    assertEquals(5, choices.nextInt(5, 6));
    assertFalse(choices.chance(ChoiceKind.FAULT, 0));
    assertTrue(choices.chance(ChoiceKind.FAULT, 1));
    assertEquals(0, choices.size());
  }

  @Test
  void numbers_ofZeros_areTheSimplest() {
    Choices zeros = zeros();
    assertEquals(0, zeros.nextInt());
    assertEquals(0, zeros.nextInt(10));
    assertEquals(-3, zeros.nextInt(-3, 10));
    assertEquals(0, zeros.nextLong());
    assertEquals(Long.MIN_VALUE, zeros.nextLong(Long.MIN_VALUE, Long.MAX_VALUE));
    assertEquals(0, zeros.nextDouble());
    assertEquals(2, zeros.nextDouble(2, 3));
    assertEquals(0, zeros.nextFloat());
    assertFalse(zeros.nextBoolean());
    assertFalse(zeros.chance(ChoiceKind.FAULT, 0.99));
    assertEquals(0, zeros.nextGaussian());
    assertTrue(zeros.nextExponential() >= 0);
    assertEquals(0, zeros.ints(3).sum());
    assertEquals(0, zeros.sequence().deviations());
  }

  @Test
  void numbers_eachOfThem_isOneChoice() {
    Choices choices = Choices.random(3);
    var generator = choices.generator(ChoiceKind.DELIVERY, 0);
    long number = choices.nextLong();
    int bounded = choices.nextInt(-10, 10);
    double real = generator.nextDouble();
    ChoiceSequence made = choices.sequence();
    assertEquals(3, made.size());
    assertEquals(number, (made.value(0) >>> 1) ^ -(made.value(0) & 1));
    assertEquals(0, made.count(0));
    assertEquals(bounded, made.value(1) - 10);
    assertEquals(20, made.count(1));
    assertEquals(ChoiceKind.DELIVERY, made.kind(2));
    assertTrue(real >= 0 && real < 1);
  }

  @Test
  void chance_manyTimes_isAsLikelyAsItSays() {
    Choices choices = Choices.random(3);
    long happened =
        IntStream.range(0, 10_000).filter(_ -> choices.chance(ChoiceKind.FAULT, 0.1)).count();
    assertEquals(1000.0, (double) happened, 100.0);
  }

  @Test
  void uuid_evenOfZeros_isUniqueInItsRun() {
    Choices zeros = zeros();
    Set<UUID> all = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      UUID uuid = zeros.uuid();
      assertEquals(4, uuid.version());
      assertEquals(2, uuid.variant());
      assertTrue(all.add(uuid));
    }
    assertEquals(Choices.random(5).uuid(), Choices.random(5).uuid());
    assertNotEquals(Choices.random(5).uuid(), Choices.random(6).uuid());
  }

  // Parts.

  @Test
  void generator_ofAPart_drawsWhatTheRunDraws_andSaysWhichPartItIs() {
    Choices choices = Choices.random(3);
    Choices plain = Choices.random(3);
    assertEquals(plain.nextInt(100), choices.generator(ChoiceKind.RANDOM, 7).nextInt(100));
    assertEquals("RANDOM 26 of 100, id 7", describe(choices));
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> choices.generator(ChoiceKind.RANDOM, -1));
    assertEquals("part must be at least 0: part=-1", e.getMessage());
  }

  private static String describe(Choices choices) {
    return choices.sequence().describe(0);
  }

  @Test
  void replay_ofAnotherPart_diverges() {
    Choices recorded = Choices.random(3);
    int _ = recorded.generator(ChoiceKind.RANDOM, 7).nextInt(100);
    Choices replay = Choices.replay(recorded.sequence());
    int _ = replay.generator(ChoiceKind.RANDOM, 8).nextInt(100);
    assertThrows(ReplayDivergedException.class, replay::requireNoDivergence);
  }

  @Test
  void isReplay_ofOnesThatRepeatAPrefix_isFalse() {
    assertTrue(zeros().isReplay());
    assertFalse(Choices.random(1).isReplay());
    Exploration result =
        new Explorer(Strategy.exhaustive(1, 1))
            .explore(choices -> {
              boolean _ = choices.nextBoolean();
              assertFalse(choices.isReplay());
            });
    assertEquals(2, result.runs());
  }

  @Test
  void sequence_ofAMillionLatencies_takesTenBytesEach() {
    var log = new ChoiceLog();
    for (int i = 0; i < 1_000_000; i++) {
      log.add(ChoiceKind.DELIVERY, 1L << 53, (1L << 53) - 1 - i, 0);
    }
    assertTrue(log.bytes().length <= 10_000_000, () -> log.bytes().length + " bytes");
    assertEquals((1L << 53) - 1_000_000, log.sequence().value(999_999));
  }

  // Printed.

  @Test
  void print_anySequence_isParsedToTheSame() {
    for (int seed = 0; seed < 50; seed++) {
      Choices choices = Choices.random(seed);
      for (int i = 0; i < 3 * seed; i++) {
        switch (choices.choose(ChoiceKind.RANDOM, 5)) {
          case 0 -> choices.nextLong();
          case 1 -> choices.chance(ChoiceKind.FAULT, 0.1);
          case 2 -> choices.choose(ChoiceKind.TASK, 3, index -> Long.MAX_VALUE - index);
          case 3 -> choices.generator(ChoiceKind.FAULT, 1 + seed).nextInt();
          default -> choices.nextInt(-5, 1000);
        }
      }
      ChoiceSequence made = choices.sequence();
      assertEquals(made, ChoiceSequence.parse(made.print()));
      assertTrue(made.print().matches("rondo1-[A-Za-z0-9_-]+"));
    }
  }

  @Test
  void parse_whatWasNotPrinted_isRefused() {
    Choices choices = Choices.random(1);
    var _ = draw(choices);
    String printed = choices.sequence().print();
    assertRefused("hello", "no replay, which has the form rondo1-..: 'hello'");
    assertRefused("", "no replay, which has the form rondo1-..: ''");
    assertRefused("rondo2-AAAA", "a replay of version 2, this Rondo reads version 1");
    assertRefused(
        printed.substring(0, printed.length() - 4), "a replay that is damaged or incomplete");
    char last = printed.charAt(printed.length() - 3);
    String damaged =
        printed.substring(0, printed.length() - 3)
            + (last == 'x' ? "y" : "x")
            + printed.substring(printed.length() - 2);
    assertRefused(damaged, "a replay that is damaged or incomplete");
    assertRefused("@/no/such/file", "the replay cannot be read: @/no/such/file");
    assertRefused("@/dev/zero", "the replay cannot be read: @/dev/zero");
    assertRefused("@\u0000\u001b[2J", "the replay cannot be read: @\\u0000\\u001b[2J");
    assertRefused("\u001b[2J", "no replay, which has the form rondo1-..: '\\u001b[2J'");
  }

  @Test
  void parse_fewBytesForManyChoices_isRefusedBeforeTheyAreInMemory() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(bytes)) {
      out.write(new byte[] {0x34, 2}); // a random number, 0 of 2
      var again = new byte[1_000_000];
      Arrays.fill(again, (byte) 0x74);
      for (int i = 0; i < 5; i++) {
        out.write(again);
      }
    }
    String text =
        "rondo1-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    var refused = assertThrows(IllegalArgumentException.class, () -> ChoiceSequence.parse(text));
    assertEquals("more than 2,000,000 choices", refused.getCause().getMessage());
  }

  @Test
  void parse_anyBytes_areReadOrRefused() {
    Choices random = Choices.random(11);
    for (int i = 0; i < 2_000; i++) {
      var bytes = new ByteArrayOutputStream();
      try (var out = new DeflaterOutputStream(bytes)) {
        for (int left = random.nextInt(20); left > 0; left--) {
          out.write(random.nextInt(256));
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      String text =
          "rondo1-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
      try {
        ChoiceSequence read = ChoiceSequence.parse(text);
        assertEquals(read, ChoiceSequence.parse(read.print()));
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().startsWith("a replay that is damaged"), e.getMessage());
      }
    }
  }

  private static void assertRefused(String text, String message) {
    var refused = assertThrows(IllegalArgumentException.class, () -> ChoiceSequence.parse(text));
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
  }
}
