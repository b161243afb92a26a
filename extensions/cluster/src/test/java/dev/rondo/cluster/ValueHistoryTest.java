package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/// The check finds what is wrong, and nothing else.
final class ValueHistoryTest {

  private final ValueHistory history = new ValueHistory();

  private void add(String... lines) {
    for (String each : lines) {
      history.add(each);
    }
  }

  private void assertRight() {
    assertDoesNotThrow(history::requireLinearizable);
  }

  private void assertWrong() {
    assertThrows(AssertionError.class, history::requireLinearizable);
  }

  @Test
  void aReadAfterAWrite_sees_it() {
    add("call a/1 10 put r0 x .", "done a/1 20 - .", "call b/1 30 get r0 .", "done b/1 40 x .");
    assertRight();
    assertEquals(2, history.answers());
  }

  @Test
  void aStaleRead_isFound() {
    add("call a/1 10 put r0 x .", "done a/1 20 - .", "call b/1 30 get r0 .", "done b/1 40 - .");
    assertWrong();
  }

  /// The lines of two processes arrive in any order.
  @Test
  void whatHappensBefore_isDecidedByTheInstants() {
    add("call b/1 30 get r0 .", "done b/1 40 - .", "call a/1 10 put r0 x .", "done a/1 20 - .");
    assertWrong();
  }

  @Test
  void aReadDuringAWrite_seesEither() {
    add("call a/1 10 put r0 x .", "call b/1 15 get r0 .", "done b/1 20 - .", "done a/1 20 - .");
    assertRight();
  }

  @Test
  void anAcknowledgedWrite_thatIsLost_isFound() {
    add(
        "call a/1 10 put r0 x .",
        "done a/1 20 - .",
        "call a/2 30 cas r0 x y .",
        "done a/2 40 true .",
        "call b/1 50 get r0 .",
        "done b/1 60 x .");
    assertWrong();
  }

  /// It may have taken effect at any time since, or never.
  @Test
  void aWriteWithoutAnAnswer_mayBeSeen_orNot() {
    add(
        "call a/1 10 put r0 x .",
        "done a/1 2", // killed in the middle of the line
        "call b/1 30 get r0 .",
        "done b/1 40 - .",
        "call b/2 50 get r0 .",
        "done b/2 60 x .");
    assertRight();
    add("call b/3 70 get r0 .", "done b/3 80 - .");
    assertWrong();
  }

  @Test
  void twoWinnersOfACompareAndSet_areFound() {
    add(
        "call a/1 10 cas r0 - x .",
        "call b/1 10 cas r0 - y .",
        "done a/1 20 true .",
        "done b/1 20 true .");
    assertWrong();
  }

  @Test
  void sums_thatGrow_areRight() {
    add(
        "call a/1 10 add .",
        "call b/1 15 add .",
        "call c/1 15 add .",
        "done a/1 20 3 .",
        "done b/1 20 1 .");
    assertRight();
  }

  @Test
  void anAdditionThatIsForgotten_isFound() {
    add("call a/1 10 add .", "done a/1 20 1 .", "call b/1 30 add .", "done b/1 40 1 .");
    assertWrong();
  }

  @Test
  void aSumThatIsTooSmall_isFound() {
    add(
        "call c/1 5 add .",
        "call a/1 10 add .",
        "done a/1 20 2 .",
        "call b/1 30 add .",
        "done b/1 40 1 .");
    assertWrong();
  }

  @Test
  void anAdditionThatIsDoneTwice_isFound() {
    add("call a/1 10 add .", "done a/1 20 1 .", "call b/1 30 add .", "done b/1 40 3 .");
    assertWrong();
  }
}
