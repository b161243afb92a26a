package dev.rondo.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jgroups.Address;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/// What a voter must not forget: its term, and the member that has its vote in that term.
///
/// @param term 0 before the first one
/// @param votedFor null if no member has the vote
record JGroupsBallot(long term, @Nullable Address votedFor) {

  static final JGroupsBallot NONE = new JGroupsBallot(0, null);

  byte[] bytes() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeLong(term);
    Util.writeAddress(votedFor, out);
    return bytes.toByteArray();
  }

  /// Returns what bytes are; null if they are none.
  static @Nullable JGroupsBallot of(ByteBuffer bytes) {
    byte[] all = new byte[bytes.remaining()];
    var _ = bytes.get(all);
    try {
      var in = new DataInputStream(new ByteArrayInputStream(all));
      return new JGroupsBallot(in.readLong(), Util.readAddress(in));
    } catch (IOException | ClassNotFoundException e) {
      return null;
    }
  }
}
