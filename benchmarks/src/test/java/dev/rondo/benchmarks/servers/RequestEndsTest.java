package dev.rondo.benchmarks.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestEndsTest {

  /// `~` is CR, `_` is LF.
  @ParameterizedTest
  @CsvSource({
    "GET~_Host: x~_~_, 1",
    "~_~_a~_~_, 2",
    "a~_b~_, 0",
    "~_~~_~_, 1",
    "~~_~_, 1",
    "__, 0",
    "~_~, 0"
  })
  void in_anyCut_countsEmptyLines(String request, int expected) {
    byte[] bytes =
        request.replace('~', '\r').replace('_', '\n').getBytes(StandardCharsets.US_ASCII);
    for (int cut = 0; cut <= bytes.length; cut++) {
      var ends = new RequestEnds();
      int found = ends.in(ByteBuffer.wrap(bytes, 0, cut));
      found += ends.in(ByteBuffer.wrap(bytes, cut, bytes.length - cut));
      assertEquals(expected, found, "cut at " + cut);
    }
  }
}
