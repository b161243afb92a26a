package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NumbersTest {

  private static Numbers of(double... values) {
    var numbers = new Numbers();
    for (double value : values) {
      numbers.add(value);
    }
    return numbers;
  }

  @Test
  void median_oddCount_isTheMiddleOneWhateverTheOrder() {
    assertEquals(3, of(9, 1, 3).median());
  }

  @Test
  void median_evenCount_liesBetweenTheTwoInTheMiddle() {
    assertEquals(2.5, of(4, 1, 3, 2).median());
  }

  @Test
  void median_one_isThatOne() {
    assertEquals(7, of(7).median());
  }

  @Test
  void spread_equalValues_allAreKept() {
    Numbers numbers = of(5, 2, 5, 2);
    assertEquals(2, numbers.min());
    assertEquals(5, numbers.max());
    assertEquals(List.of(2.0, 2.0, 5.0, 5.0), numbers.values());
  }
}
