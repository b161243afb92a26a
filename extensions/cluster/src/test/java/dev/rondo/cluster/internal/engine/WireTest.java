package dev.rondo.cluster.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.rondo.cluster.members.DeliveryException.Reason;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The bytes of frames as 0.1.0 sends them. Other bytes need another [Frame#VERSION].
final class WireTest {

  private static final Map<String, Frame> SENT = new LinkedHashMap<>();

  static {
    SENT.put(
        "01000000" + "0000000000000007" + "0003" + "626f78" + "6869",
        Frame.message(false, 7, "box", new byte[] {'h', 'i'}));
    SENT.put(
        "01030100" + "0102030405060708" + "0002" + "c3bc",
        Frame.first(true, 0x0102030405060708L, "\u00fc", new byte[0]));
    SENT.put("01010000" + "0000000000000007" + "0003" + "626f78", Frame.taken(false, 7, "box"));
    SENT.put(
        "01020002" + "0000000000000007" + "0003" + "626f78",
        Frame.refused(false, Reason.NO_MAILBOX, 7, "box"));
    SENT.put(
        "01020005" + "0000000000000007" + "0001" + "78",
        Frame.refused(false, Reason.OVERRUN, 7, "x"));
  }

  private static String hex(Frame frame) {
    return HexFormat.of().formatHex(frame.bytes());
  }

  private static Frame read(String hex) {
    return Frame.of(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
  }

  @Test
  void frames_areSentAsBefore_andThoseOfBeforeAreRead() {
    SENT.forEach((hex, frame) -> {
      assertEquals(hex, hex(frame));
      assertEquals(hex, hex(read(hex)));
    });
    assertEquals(Frame.Kind.FIRST, read("01030100" + "0102030405060708" + "0002" + "c3bc").kind());
  }

  @Test
  void framesOfAnotherVersion_areUnreadable() {
    for (String each : SENT.keySet()) {
      assertSame(Frame.UNREADABLE, read("02" + each.substring(2)));
    }
  }
}
