package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChoicesTest {

  @Test
  void choose_sameSeed_sameChoices() {
    assertEquals(draw(Choices.random(7)), draw(Choices.random(7)));
    assertTrue(draw(Choices.random(7)).stream().allMatch(it -> it >= 0 && it < 10));
  }

  @Test
  void choose_fromNothing_fails() {
    var e = assertThrows(IllegalArgumentException.class, () -> Choices.random(7).choose(0));

    assertEquals("count must be at least 1: count=0", e.getMessage());
  }

  private static List<Integer> draw(Choices choices) {
    return IntStream.range(0, 100).mapToObj(_ -> choices.choose(10)).toList();
  }
}
