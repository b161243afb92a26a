package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which failures count as the same while a run is shrunk.
final class FailureShapeTest {

  /// Failures that are thrown at one line.
  private static FailureShape shape(String message) {
    return FailureShape.of(new AssertionError(message), ProgramCode.of("FailureShapeTest"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "the balance is 17 and not -2 | the balance is -3 and not 40",
        "order 3f2a9c01-44bb-4c1e-9f00-aabbccddeeff is lost"
            + " | order c0ffee00-1111-4222-8333-444455556666 is lost",
        "no answer from /10.0.0.1:7800 | no answer from /10.0.0.12:41003",
        "no answer from [fe80::1]:7800 | no answer from [2001:db8:a::17]:9",
        "no answer from fe80::1 | no answer from 2001:db8:a:b:c:d:e:f",
        "node3 has no leader | node12 has no leader",
        "lost: expected: <[45, 46, 47]> but was: <[]> | lost: expected: <[1]> but was: <[2, 3]>",
        "left over: {a=[1, 2], b=[]} | left over: {}",
        "read 1.5E-10 from Buffer@4bee | read 2 from Buffer@1d",
        "token 00ff12ab, after 2 min 30 s | token 7, after 250 ms",
        "missing 4, 5, 17 | missing 3",
        "lost acks of 1 to 5 | lost acks of 2 to 64",
        "at 5 s 'one leader' does not hold | at 2 min 'one leader' does not hold",
        "task 'worker-3' isn't done with [a, b] | task 'worker-14' isn't done with []",
      })
  void messages_ofOneReason_areAlike(String one, String other) {
    assertEquals(shape(one), shape(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'one leader' does not hold | 'no lost update' does not hold",
        "the balance is 17 | the sum is 17",
        "expected: <committed> but was: <aborted> | expected: <aborted> but was: <committed>",
        "account a: 3 | account b: 3",
        "Log::append failed | Log::read failed",
        "'I1' does not hold | 'I2' does not hold",
        "'[one leader]' does not hold | '[no lost update]' does not hold",
      })
  void messages_ofOtherWords_areNotAlike(String one, String other) {
    assertNotEquals(shape(one), shape(other));
  }

  /// Each repetition of a group took a frame of the stack.
  @Test
  void messageOfManyValues_isOneValue() {
    String many = "1000, 1001, ".repeat(50_000) + "7";
    assertEquals(shape("missing 3"), shape("missing " + many));
    assertEquals(shape("took 1 s"), shape("took " + "2 min 30 s ".repeat(50_000).strip()));
  }

  @Test
  void failures_thrownElsewhere_areNotAlike() {
    var one = new AssertionError("1");
    var other = new AssertionError("1");
    ProgramCode code = ProgramCode.of("dev.rondo.exploration.FailureShapeTest");
    assertNotEquals(FailureShape.of(one, code), FailureShape.of(other, code));
  }
}
