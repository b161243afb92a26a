package dev.rondo.http.websocket;

import static dev.rondo.http.websocket.WebSocketCase.BINARY;
import static dev.rondo.http.websocket.WebSocketCase.CLOSE;
import static dev.rondo.http.websocket.WebSocketCase.CONTINUATION;
import static dev.rondo.http.websocket.WebSocketCase.PING;
import static dev.rondo.http.websocket.WebSocketCase.PONG;
import static dev.rondo.http.websocket.WebSocketCase.TEXT;
import static dev.rondo.http.websocket.WebSocketCase.bytes;
import static dev.rondo.http.websocket.WebSocketCase.chopped;
import static dev.rondo.http.websocket.WebSocketCase.close;
import static dev.rondo.http.websocket.WebSocketCase.frame;
import static dev.rondo.http.websocket.WebSocketCase.hex;
import static dev.rondo.http.websocket.WebSocketCase.part;
import static dev.rondo.http.websocket.WebSocketCase.together;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The cases of Autobahn's fuzzing client by their published descriptions: 1 to 7 whole, of 9 what
/// fits into 256 KiB, and 10. Those of 12 and 13 are for compression, which the server does not
/// offer. Where a case admits several answers, here is the one that RFC 6455 recommends.
///
/// When a message is followed by what breaks the protocol, the server may end the socket before the
/// message is answered, because it reads ahead; Autobahn calls that not strict.
final class WebSocketCases {

  private static final byte[] BYE = close(1000, "");
  private static final String CLOSED = "close 1000";
  private static final String BROKEN = "close 1002";
  private static final String NO_UTF8 = "close 1007";
  private static final String HELLO = "Hello-\u00b5@\u00df\u00f6\u00e4\u00fc\u00e0\u00e1-UTF-8!!";
  private static final String KOSME = "\u03ba\u1f79\u03c3\u03bc\u03b5";
  private static final int KIB = 1 << 10;

  private final List<WebSocketCase> all = new ArrayList<>();

  private WebSocketCases() {}

  static List<WebSocketCase> all() {
    var cases = new WebSocketCases();
    cases.framing();
    cases.pings();
    cases.reservedBitsAndOpcodes();
    cases.fragments();
    cases.brokenFragments();
    cases.utf8();
    cases.utf8Sequences();
    cases.closing();
    cases.closeFrames();
    cases.sizes();
    return cases.all;
  }

  /// The client closes the socket after what it sends, and all of it is answered.
  private void ends(String name, List<byte[]> sent, String... expected) {
    var writes = new ArrayList<>(sent);
    writes.add(BYE);
    var answers = new ArrayList<>(List.of(expected));
    answers.add(CLOSED);
    all.add(new WebSocketCase(name, writes, answers, answers));
  }

  /// As it is: the last answer is a close frame.
  private void exactly(String name, List<byte[]> sent, String... expected) {
    all.add(new WebSocketCase(name, sent, List.of(expected), List.of(expected)));
  }

  /// A message and what breaks the protocol.
  private void breaks(String name, List<byte[]> sent, String answer) {
    all.add(new WebSocketCase(name, sent, List.of(answer, BROKEN), List.of(BROKEN)));
  }

  private static byte[] stars(int length) {
    byte[] made = new byte[length];
    Arrays.fill(made, (byte) '*');
    return made;
  }

  private static String shown(String kind, byte[] content) {
    return kind + " " + WebSocketCase.shown(content);
  }

  private void framing() {
    int[] sizes = {0, 125, 126, 127, 128, 65_535, 65_536};
    for (int i = 0; i < sizes.length; i++) {
      byte[] content = stars(sizes[i]);
      ends("1.1." + (i + 1), List.of(frame(TEXT, content)), shown("text", content));
      ends("1.2." + (i + 1), List.of(frame(BINARY, content)), shown("binary", content));
    }
    ends("1.1.8", chopped(997, frame(TEXT, stars(65_536))), "text 65536 bytes");
    ends("1.2.8", chopped(997, frame(BINARY, stars(65_536))), "binary 65536 bytes");
  }

  private void pings() {
    byte[] most = stars(125);
    ends("2.1", List.of(frame(PING, "")), "pong ");
    ends("2.2", List.of(frame(PING, "Hello, world!")), "pong Hello, world!");
    byte[] binary = hex("00 ff fe fd fc fb 00 ff");
    ends("2.3", List.of(frame(PING, binary)), shown("pong", binary));
    ends("2.4", List.of(frame(PING, most)), "pong 125 bytes");
    exactly("2.5", List.of(frame(PING, stars(126))), BROKEN);
    ends("2.6", chopped(1, frame(PING, most)), "pong 125 bytes");
    ends("2.7", List.of(frame(PONG, "")));
    ends("2.8", List.of(frame(PONG, "unsolicited")));
    ends("2.9", List.of(frame(PONG, "unsolicited"), frame(PING, "ping")), "pong ping");
    var ten = new ArrayList<byte[]>();
    String[] answers = new String[10];
    for (int i = 0; i < answers.length; i++) {
      ten.add(frame(PING, "payload-" + i));
      answers[i] = "pong payload-" + i;
    }
    ends("2.10", ten, answers);
    ends("2.11", chopped(1, ten.toArray(byte[][]::new)), answers);
  }

  private void reservedBitsAndOpcodes() {
    byte[] hello = frame(TEXT, "Hello");
    byte[] content = bytes("Hello");
    exactly("3.1", List.of(frame(true, 1, TEXT, content)), BROKEN);
    breaks("3.2", List.of(hello, frame(true, 2, TEXT, content)), "text Hello");
    breaks("3.3", List.of(together(hello, frame(true, 3, TEXT, content))), "text Hello");
    breaks("3.4", chopped(1, hello, frame(true, 4, TEXT, content)), "text Hello");
    exactly("3.5", List.of(frame(true, 5, BINARY, content)), BROKEN);
    exactly("3.6", List.of(frame(true, 6, PING, content)), BROKEN);
    exactly("3.7", List.of(frame(true, 7, CLOSE, new byte[0])), BROKEN);
    for (int i = 0; i < 5; i++) {
      breaks("4.1." + (i + 1), List.of(hello, frame(3 + i, "")), "text Hello");
      exactly("4.1." + (i + 1) + " content", chopped(1, frame(3 + i, "x")), BROKEN);
      breaks("4.2." + (i + 1), List.of(hello, frame(11 + i, "")), "text Hello");
      exactly("4.2." + (i + 1) + " content", chopped(1, frame(11 + i, "x")), BROKEN);
    }
  }

  /// The same frames in a write each, in one write, and in writes of one byte.
  private void threeWays(int number, byte[][] frames, boolean close, String... expected) {
    List<List<byte[]>> ways =
        List.of(List.of(frames), List.of(together(frames)), chopped(1, frames));
    for (int i = 0; i < ways.size(); i++) {
      if (close) {
        ends("5." + (number + i), ways.get(i), expected);
      } else {
        exactly("5." + (number + i), ways.get(i), expected);
      }
    }
  }

  private void fragments() {
    exactly("5.1", List.of(part(PING, "frag"), frame(CONTINUATION, "ments")), BROKEN);
    exactly("5.2", List.of(part(PONG, "frag"), frame(CONTINUATION, "ments")), BROKEN);
    byte[] begin = part(TEXT, "frag");
    byte[] end = frame(CONTINUATION, "ments");
    byte[] ping = frame(PING, "ping");
    threeWays(3, new byte[][] {begin, end}, true, "text fragments");
    threeWays(6, new byte[][] {begin, ping, end}, true, "pong ping", "text fragments");
    byte[][] many = {
      part(TEXT, "1"),
      part(CONTINUATION, "2"),
      frame(PING, "a"),
      part(CONTINUATION, "3"),
      part(CONTINUATION, "4"),
      frame(PING, "b"),
      frame(CONTINUATION, "5")
    };
    ends("5.19", List.of(many), "pong a", "pong b", "text 12345");
    ends("5.20", List.of(together(many)), "pong a", "pong b", "text 12345");
  }

  private void brokenFragments() {
    byte[] hello = frame(TEXT, "Hello");
    byte[] last = frame(CONTINUATION, "non-continuation");
    byte[] notLast = part(CONTINUATION, "non-continuation");
    threeWays(9, new byte[][] {last, hello}, false, BROKEN);
    threeWays(12, new byte[][] {notLast, hello}, false, BROKEN);
    breaks(
        "5.15",
        List.of(part(TEXT, "frag"), frame(CONTINUATION, "ments"), notLast, hello),
        "text fragments");
    exactly("5.16", List.of(notLast, part(TEXT, "a"), frame(CONTINUATION, "b")), BROKEN);
    exactly("5.17", List.of(last, part(TEXT, "a"), frame(CONTINUATION, "b")), BROKEN);
    exactly("5.18", List.of(part(TEXT, "a"), frame(TEXT, "b")), BROKEN);
  }

  /// One frame for each byte.
  private static List<byte[]> inBytes(byte[] content) {
    var frames = new ArrayList<byte[]>();
    for (int i = 0; i < content.length; i++) {
      byte[] one = {content[i]};
      frames.add(frame(i == content.length - 1, 0, i == 0 ? TEXT : CONTINUATION, one));
    }
    return frames;
  }

  private void utf8() {
    ends("6.1.1", List.of(frame(TEXT, "")), "text ");
    byte[] empty = frame(CONTINUATION, "");
    ends("6.1.2", List.of(part(TEXT, ""), part(CONTINUATION, ""), empty), "text ");
    ends("6.1.3", List.of(part(TEXT, ""), part(CONTINUATION, "middle"), empty), "text middle");
    ends("6.2.1", List.of(frame(TEXT, HELLO)), "text " + HELLO);
    ends(
        "6.2.2",
        List.of(part(TEXT, HELLO.substring(0, 12)), frame(CONTINUATION, HELLO.substring(12))),
        "text " + HELLO);
    ends("6.2.3", inBytes(bytes(HELLO)), "text " + HELLO);
    ends("6.2.4", inBytes(bytes(KOSME)), "text " + KOSME);
    byte[] broken = together(bytes(KOSME), hex("eda080"), bytes("edited"));
    exactly("6.3.1", List.of(frame(TEXT, broken)), NO_UTF8);
    exactly("6.3.2", inBytes(broken), NO_UTF8);
    // Refused before the message is complete.
    byte[] begin = frame(false, 0, TEXT, bytes(KOSME));
    exactly("6.4.1", List.of(begin, frame(false, 0, CONTINUATION, hex("f4908080"))), NO_UTF8);
    exactly("6.4.2", List.of(begin, frame(false, 0, CONTINUATION, hex("f490"))), NO_UTF8);
    for (int i = 1; i <= bytes(KOSME).length; i++) {
      byte[] prefix = Arrays.copyOf(bytes(KOSME), i);
      var text = new String(prefix, StandardCharsets.UTF_8);
      if (text.indexOf('\ufffd') < 0) {
        ends("6.6." + i, List.of(frame(TEXT, prefix)), "text " + text);
      } else {
        exactly("6.6." + i, List.of(frame(TEXT, prefix)), NO_UTF8);
      }
    }
  }

  private void texts(String section, String... sequences) {
    for (int i = 0; i < sequences.length; i++) {
      byte[] content = hex(sequences[i]);
      ends(section + "." + (i + 1), List.of(frame(TEXT, content)), shown("text", content));
    }
  }

  private void noTexts(String section, String... sequences) {
    for (int i = 0; i < sequences.length; i++) {
      exactly(section + "." + (i + 1), List.of(frame(TEXT, hex(sequences[i]))), NO_UTF8);
    }
  }

  private void utf8Sequences() {
    texts("6.7", "00", "c280", "e0a080", "f0908080");
    noTexts("6.8", "f888808080", "fc8480808080");
    texts("6.9", "7f", "dfbf", "efbfbf", "f48fbfbf");
    noTexts("6.10", "f7bfbfbf", "fbbfbfbfbf", "fdbfbfbfbfbf");
    texts("6.11", "ed9fbf", "ee8080", "efbfbd", "f48fbfbf");
    noTexts("6.11.5", "f4908080");
    noTexts("6.12", "80", "bf", "80bf", "80bf80", "80bf80bf", "80bf80bf80", "80bf80bf80bf");
    noTexts("6.13", "c020c120c220", "e020e120", "f020f120", "f820f920", "fc20");
    noTexts("6.14", "c0", "e080", "f08080", "f8808080", "fc80808080");
    noTexts("6.14b", "df", "efbf", "f7bfbf", "fbbfbfbf", "fdbfbfbfbf");
    noTexts("6.15", "c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf");
    noTexts("6.16", "fe", "ff", "fefeffff");
    noTexts("6.17", "c0af", "e080af", "f08080af", "f8808080af", "fc80808080af");
    noTexts("6.18", "c1bf", "e09fbf", "f08fbfbf", "f887bfbfbf", "fc83bfbfbfbf");
    noTexts("6.19", "c080", "e08080", "f0808080", "f880808080", "fc8080808080");
    noTexts("6.20", "eda080", "edadbf", "edae80", "edafbf", "edb080", "edbe80", "edbfbf");
    noTexts("6.21", "eda080edb080", "eda080edbfbf", "edadbfedb080", "edadbfedbfbf");
    noTexts("6.21b", "edae80edb080", "edae80edbfbf", "edafbfedb080", "edafbfedbfbf");
    texts("6.22", "efbfbe", "efbfbf", "f09fbfbe", "f09fbfbf", "f0afbfbe", "f48fbfbe");
    texts("6.23", "efbfb9", "efbfba", "efbfbb", "efbfbc", "efbfbd", "efbfbe", "efbfbf");
  }

  private void closing() {
    byte[] hello = frame(TEXT, "Hello World!");
    exactly("7.1.1", List.of(hello, BYE), "text Hello World!", CLOSED);
    exactly("7.1.2", List.of(together(BYE, BYE)), CLOSED);
    exactly("7.1.3", List.of(together(BYE, frame(PING, "late"))), CLOSED);
    exactly("7.1.4", List.of(together(BYE, hello)), CLOSED);
    exactly("7.1.5", List.of(together(part(TEXT, "a"), BYE, frame(CONTINUATION, "b"))), CLOSED);
    exactly(
        "7.1.6",
        List.of(together(frame(TEXT, stars(256 * KIB)), hello, BYE, frame(PING, "late"))),
        "text 262144 bytes",
        "text Hello World!",
        CLOSED);
  }

  private void closeFrames() {
    exactly("7.3.1", List.of(frame(CLOSE, "")), "close");
    exactly("7.3.2", List.of(frame(CLOSE, "a")), BROKEN);
    exactly("7.3.3", List.of(close(1000, "")), CLOSED);
    exactly("7.3.4", List.of(close(1000, "Hello World!")), CLOSED);
    exactly("7.3.5", List.of(close(1000, stars(123))), CLOSED);
    exactly("7.3.6", List.of(close(1000, stars(124))), BROKEN);
    exactly("7.5.1", List.of(close(1000, hex("cebae1bdb9cf83cebceda080656469746564"))), NO_UTF8);
    int[] valid = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999};
    for (int i = 0; i < valid.length; i++) {
      exactly("7.7." + (i + 1), List.of(close(valid[i], "")), "close " + valid[i]);
    }
    int[] invalid = {0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999};
    for (int i = 0; i < invalid.length; i++) {
      exactly("7.9." + (i + 1), List.of(close(invalid[i], "")), BROKEN);
      exactly("7.9." + (i + 1) + " reason", List.of(close(invalid[i], "why")), BROKEN);
    }
    // RFC 6455, 7.4.2 assigns none of these.
    exactly("7.13.1", List.of(close(5_000, "")), BROKEN);
    exactly("7.13.2", List.of(close(65_535, "")), BROKEN);
  }

  private static List<byte[]> fragmented(int opcode, byte[] content, int length) {
    var frames = new ArrayList<byte[]>();
    for (int from = 0; from < content.length; from += length) {
      int end = Math.min(content.length, from + length);
      frames.add(
          frame(
              end == content.length,
              0,
              from == 0 ? opcode : CONTINUATION,
              Arrays.copyOfRange(content, from, end)));
    }
    return List.of(together(frames.toArray(byte[][]::new)));
  }

  private void sizes() {
    int[] sizes = {64 * KIB, 256 * KIB};
    for (int i = 0; i < sizes.length; i++) {
      byte[] content = stars(sizes[i]);
      ends("9.1." + (i + 1), List.of(frame(TEXT, content)), shown("text", content));
      ends("9.2." + (i + 1), List.of(frame(BINARY, content)), shown("binary", content));
    }
    byte[] quarter = stars(256 * KIB);
    int[] lengths = {4 * KIB, 16 * KIB, 64 * KIB};
    for (int i = 0; i < lengths.length; i++) {
      ends("9.3." + (i + 4), fragmented(TEXT, quarter, lengths[i]), "text 262144 bytes");
      ends("9.4." + (i + 4), fragmented(BINARY, quarter, lengths[i]), "binary 262144 bytes");
    }
    int[] chops = {512, KIB};
    byte[] small = stars(64 * KIB);
    for (int i = 0; i < chops.length; i++) {
      ends("9.5." + (i + 3), chopped(chops[i], frame(TEXT, small)), "text 65536 bytes");
      ends("9.6." + (i + 3), chopped(chops[i], frame(BINARY, small)), "binary 65536 bytes");
    }
    ends("10.1.1", fragmented(TEXT, stars(65_536), 1_300), "text 65536 bytes");
  }
}
