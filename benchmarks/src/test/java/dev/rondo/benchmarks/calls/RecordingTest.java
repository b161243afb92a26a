package dev.rondo.benchmarks.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordingTest {

  private static final Recording.Call CALL =
      new Recording.Call(new Method("dev.rondo.A", "a", "()V"), 0);

  private static Recording ofSize(int size) {
    return new Recording(Collections.nCopies(size, CALL));
  }

  @Test
  void usual_sizesDiffer_isTheMostFrequent() {
    assertEquals(5, Recording.usual(List.of(ofSize(3), ofSize(5), ofSize(9), ofSize(5))).size());
  }

  @Test
  void usual_severalAreEquallyFrequent_isTheLeast() {
    Recording least = ofSize(3);

    assertSame(least, Recording.usual(List.of(ofSize(5), least, ofSize(9))));
  }

  @Test
  void classes_nestedOnes_countAsTheirOutermost() {
    var nested = new Recording.Call(new Method("dev.rondo.A$B$1", "lambda$b$0", "()V"), 0);
    var other = new Recording.Call(new Method("dev.rondo.C", "c", "()V"), 0);

    assertEquals(2, new Recording(List.of(CALL, nested, other)).classes());
    assertEquals("A.B.1.b (lambda)", nested.method().toString());
  }
}
