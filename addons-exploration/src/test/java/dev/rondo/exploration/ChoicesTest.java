package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChoicesTest {

  private static Choices zeros() {
    return Choices.replay(ChoiceSequence.empty());
  }

  private static List<Integer> draw(Choices choices) {
    return IntStream.range(0, 100).mapToObj(_ -> choices.choose(10)).toList();
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
    var e = assertThrows(IllegalArgumentException.class, () -> choices.choose(0));
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
    assertEquals(0, choices.choose(1));
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
    var generator = choices.generator(ChoiceKind.DELIVERY);
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

  // Printed.

  @Test
  void print_anySequence_isParsedToTheSame() {
    for (int seed = 0; seed < 50; seed++) {
      Choices choices = Choices.random(seed);
      for (int i = 0; i < 3 * seed; i++) {
        switch (choices.choose(4)) {
          case 0 -> choices.nextLong();
          case 1 -> choices.chance(ChoiceKind.FAULT, 0.1);
          case 2 -> choices.choose(ChoiceKind.TASK, 3, index -> Long.MAX_VALUE - index);
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
  }

  private static void assertRefused(String text, String message) {
    var refused = assertThrows(IllegalArgumentException.class, () -> ChoiceSequence.parse(text));
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
  }
}
