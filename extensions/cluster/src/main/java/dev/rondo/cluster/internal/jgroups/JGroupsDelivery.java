package dev.rondo.cluster.internal.jgroups;

import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.util.MaxOneThreadPerSender;
import org.jgroups.util.MessageBatch;

/// Passes what members send each other up on the thread that has read it, which saves a change of
/// threads: nothing blocks on its way to the loop. Messages of other protocols, which may block, go
/// by the pool of JGroups, so that a connection is read on meanwhile.
public final class JGroupsDelivery extends MaxOneThreadPerSender {

  private static final short TRANSPORT = ClassConfigurator.getProtocolId(TP.class);
  private static final short RELIABLE = ClassConfigurator.getProtocolId(UNICAST3.class);
  private static final short FRAGMENT = ClassConfigurator.getProtocolId(FRAG2.class);

  @Override
  public boolean process(Message message, boolean oob) {
    if (oob || !isOurs(message)) {
      return super.process(message, oob);
    }
    tp.passMessageUp(message, true, false, true);
    return true;
  }

  @Override
  public boolean process(MessageBatch batch, boolean oob) {
    if (oob || !isOurs(batch)) {
      return super.process(batch, oob);
    }
    tp.passBatchUp(batch, true, true);
    return true;
  }

  private static boolean isOurs(MessageBatch batch) {
    for (Message each : batch) {
      if (!isOurs(each)) {
        return false;
      }
    }
    return true;
  }

  /// Whether it has no header of a protocol above those that carry messages.
  private static boolean isOurs(Message message) {
    int known = 0;
    for (short each : new short[] {TRANSPORT, RELIABLE, FRAGMENT, JGroupsFrames.HEAD}) {
      if (message.getHeader(each) != null) {
        known++;
      }
    }
    return message.getDest() != null && message.getNumHeaders() == known;
  }
}
