package dev.rondo.cluster.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.rondo.cluster.members.DeliveryException.Reason;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// The bytes of frames as 0.1.0 sends them. Other bytes need another version of [Wire].
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
  void members_speakTheNewestVersionThatBothHave() {
    var wire = new Wire(2, 4);
    assertEquals("2 to 4", wire.toString());
    Map<String, OptionalInt> common = new LinkedHashMap<>();
    common.put("1", OptionalInt.empty());
    common.put("1 to 2", OptionalInt.of(2));
    common.put("3", OptionalInt.of(3));
    common.put("1 to 9", OptionalInt.of(4));
    common.put("4 to 5", OptionalInt.of(4));
    common.put("5 to 6", OptionalInt.empty());
    common.forEach((stated, version) -> {
      assertEquals(version, wire.common(stated), stated);
      assertEquals(stated, Wire.of(stated).orElseThrow().toString());
    });
    for (String each : List.of("", "0", "0 to 2", "4 to 3", "3 to", "-3", "12345", "x")) {
      assertEquals(OptionalInt.empty(), wire.common(each), each);
    }
  }

  @Test
  void framesOfAnotherVersion_areUnreadable() {
    for (String each : SENT.keySet()) {
      assertSame(Frame.UNREADABLE, read("02" + each.substring(2)));
    }
  }
}
