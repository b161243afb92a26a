package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SampleTest {

  @Test
  void parse_ofLine_isTheSame() {
    var sample = new Sample(new Row("tcp echo", "connections=50", "rondo", "CPU us/message"), 4.25);

    assertEquals(Optional.of(sample), Sample.parse(sample.line()));
  }

  @Test
  void parse_emptyParams_stayEmpty() {
    var sample = new Sample(new Row("start up", "", "bare", "ms"), 1e6);

    assertEquals(Optional.of(sample), Sample.parse(sample.line()));
  }

  @Test
  void parse_lineForPeople_isNothing() {
    assertEquals(Optional.empty(), Sample.parse("12:00 INFO a | b | c"));
    assertEquals(Optional.empty(), Sample.parse(""));
  }

  @Test
  void parse_fieldMissing_isRefusedWithTheLine() {
    var e = assertThrows(IllegalArgumentException.class, () -> Sample.parse("@sample|a|b|c|5"));

    assertEquals("a sample has 6 fields, but found 5: @sample|a|b|c|5", e.getMessage());
  }
}
