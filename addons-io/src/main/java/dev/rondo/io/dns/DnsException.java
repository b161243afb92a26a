package dev.rondo.io.dns;

import java.io.IOException;
import org.xbill.DNS.Rcode;

/// A name server answered with an error, or with a message that is not an answer.
public final class DnsException extends IOException {

  private static final long serialVersionUID = 1L;

  /// The server's response code.
  private final int rcode;

  DnsException(String message, int rcode) {
    super(message + ": " + Rcode.string(rcode));
    this.rcode = rcode;
  }

  /// {@return the response code of RFC 1035 and its successors: 2 for a server failure, 5 for a
  /// refusal}
  public int rcode() {
    return rcode;
  }
}
