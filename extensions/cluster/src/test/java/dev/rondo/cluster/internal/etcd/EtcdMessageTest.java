package dev.rondo.cluster.internal.etcd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The encoding is that of protobuf.
final class EtcdMessageTest {

  private static EtcdMessage decoded(String hex) throws IOException {
    return EtcdMessage.decoded(HexFormat.of().parseHex(hex));
  }

  /// The examples of protobuf's documentation: 150, "testing", and a message with 150.
  @Test
  void encoding_isThePublishedOne() {
    EtcdMessage number = new EtcdMessage().with(1, 150);
    assertEquals("089601", HexFormat.of().formatHex(number.encoded()));
    EtcdMessage text = new EtcdMessage().with(2, "testing");
    assertEquals("120774657374696e67", HexFormat.of().formatHex(text.encoded()));
    EtcdMessage nested = new EtcdMessage().with(3, number);
    assertEquals("1a03089601", HexFormat.of().formatHex(nested.encoded()));
  }

  @Test
  void allThatIsWritten_isRead() throws Exception {
    byte[] bytes = {0, -1};
    EtcdMessage message =
        new EtcdMessage()
            .with(1, Long.MIN_VALUE)
            .with(200, Long.MAX_VALUE)
            .with(3, bytes)
            .with(4, new EtcdMessage().with(1, 1))
            .with(4, new EtcdMessage().with(1, 2));
    EtcdMessage read = EtcdMessage.decoded(message.encoded());
    assertEquals(Long.MIN_VALUE, read.number(1));
    assertEquals(Long.MAX_VALUE, read.number(200));
    assertArrayEquals(bytes, read.bytes(3));
    assertEquals(List.of(1L, 2L), read.messages(4).stream().map(each -> each.number(1)).toList());
    assertEquals(0, read.number(9));
    assertEquals("", read.text(9));
  }

  /// Fields of later versions.
  @Test
  void otherTypes_areSkipped() throws Exception {
    EtcdMessage read = decoded("09" + "0100000000000000" + "15" + "02000000" + "1803");
    assertEquals(3, read.number(3));
    assertTrue(read.flag(1));
  }

  @Test
  void whatIsNoMessage_isRefused() {
    for (String each : List.of("08", "0896", "12077465", "12ffffffff7f", "0b", "09010203")) {
      assertThrows(IOException.class, () -> decoded(each), each);
    }
    assertThrows(IOException.class, () -> decoded("08" + "ff".repeat(11)));
  }
}
