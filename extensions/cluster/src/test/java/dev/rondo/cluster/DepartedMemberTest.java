package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What was sent to a member that is gone, as in a rolling restart under load: it holds up no
/// member that leaves after it.
final class DepartedMemberTest {

  private final EngineMember a = new EngineMember("a");
  private final EngineMember b = new EngineMember("b");

  /// Loses what is sent to one member, except what is about views.
  private static final class Loss extends Protocol {

    private final short views;
    final CompletableFuture<Void> hasLost = new CompletableFuture<>();

    private final Address receiver;

    Loss(GMS views, Address receiver) {
      this.views = views.getId();
      this.receiver = receiver;
    }

    @Override
    public Object down(Message message) {
      if (!receiver.equals(message.dest()) || message.getHeader(views) != null) {
        return super.down(message);
      }
      hasLost.complete(null);
      return null;
    }
  }

  @AfterEach
  void leave() {
    b.engine.leave();
    a.engine.leave();
  }

  @Test
  @Timeout(3 * EngineMember.HANG_SECONDS)
  void whatADepartedMember_hasNotConfirmed_isNotAwaited() throws Exception {
    a.join(List.of());
    b.join(List.of(a.engine.address()));
    a.awaitMembers(2);
    ProtocolStack stack = a.engine.channel().getProtocolStack();
    var loss =
        new Loss(
            stack.findProtocol(GMS.class), a.engine.channel().getView().getMembers().getLast());
    stack.insertProtocol(loss, ProtocolStack.Position.BELOW, UNICAST3.class);
    Member departs = a.engine.view().getLast();
    a.engine.send(departs, List.of(Frame.message(false, 1, "m", new byte[1])));
    loss.hasLost.get(EngineMember.HANG_SECONDS, TimeUnit.SECONDS);
    assertFalse(a.engine.isReceived());
    b.engine.leave();
    a.awaitMembers(1);
    assertTrue(a.engine.isReceived());
  }
}
