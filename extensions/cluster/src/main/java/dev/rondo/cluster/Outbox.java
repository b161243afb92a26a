package dev.rondo.cluster;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Frames that this member has to send, collected until the end of the loop's pass: the engine is
/// called, and its thread woken, once for all that go to a member.
///
/// Confined to the scheduler's thread.
final class Outbox {

  /// Has frames carried to a member.
  interface Carrier {
    void carry(Member to, List<Frame> frames);
  }

  /// So much is passed on at once: the engine begins to send while tasks go on.
  private static final int ENOUGH_BYTES = 1 << 16;

  private final Carrier carrier;
  private final Runnable wake;
  private final Map<Member, List<Frame>> frames = new LinkedHashMap<>();
  private long bytes;

  /// Makes an empty one.
  ///
  /// @param wake has [#flush()] called at the end of the pass
  Outbox(Carrier carrier, Runnable wake) {
    this.carrier = carrier;
    this.wake = wake;
  }

  void add(Member to, Frame frame) {
    if (frames.isEmpty()) {
      wake.run();
    }
    frames.computeIfAbsent(to, member -> new ArrayList<>()).add(frame);
    bytes += frame.message().length;
    if (bytes >= ENOUGH_BYTES) {
      flush();
    }
  }

  void flush() {
    frames.forEach(carrier::carry);
    frames.clear();
    bytes = 0;
  }
}
