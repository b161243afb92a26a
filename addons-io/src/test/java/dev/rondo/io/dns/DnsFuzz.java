package dev.rondo.io.dns;

import java.nio.ByteBuffer;
import java.util.List;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/// Any bytes as a name server's answer. A target of Jazzer, see the profile `fuzz`.
public final class DnsFuzz {

  private DnsFuzz() {}

  /// Reads the bytes as an answer.
  ///
  /// @param bytes any
  public static void fuzzerTestOneInput(byte[] bytes) {
    Message message = DnsExchange.parsed(ByteBuffer.wrap(bytes));
    if (message == null) {
      return;
    }
    Record question = message.getQuestion();
    if (question == null) {
      return;
    }
    List<Record> answer = message.getSection(Section.ANSWER);
    for (Record each : new DnsQuestion(question).wanted(answer)) {
      if (!answer.contains(each)) {
        throw new AssertionError(each + " is not in the answer to " + question);
      }
    }
  }
}
