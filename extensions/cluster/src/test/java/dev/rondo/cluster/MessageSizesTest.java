package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Messages of all sizes by JGroups: packed, by themselves, and cut into fragments.
final class MessageSizesTest extends ClusterRig {

  private static final int MOST = 1 << 20;

  /// The first that a node receives is the largest: nothing has come before it.
  private static final List<Integer> SIZES =
      List.of(MOST, 0, 1, 4_096, 4_097, 1, 1, 59_000, 60_000, 60_001, 100, MOST, 7);

  private final Random random = new Random(1);

  /// Passes bytes on as they are.
  private static final Codec<byte[]> BYTES =
      new Codec<>() {
        @Override
        public byte[] encode(byte[] message) {
          return message;
        }

        @Override
        public byte[] decode(byte[] bytes) {
          return bytes;
        }
      };

  private byte[] anyBytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void messagesOfAllSizes_arriveAsTheyWere_andInOrder() throws Exception {
    Node a = founder("a");
    Node b = acquainted("b", a);
    b.join();
    b.awaitMembers(
        members -> members.all().size() == 2); // on a busy machine it may have founded its own
    List<byte[]> sent = SIZES.stream().map(this::anyBytes).toList();
    Mailbox<byte[]> box = a.call(() -> a.cluster.mailbox("box", BYTES));
    var sending =
        b.begin(() -> {
          RemoteMailbox<byte[]> to = b.cluster.to("a", "box", BYTES);
          for (byte[] each : sent) {
            var _ = to.send(each);
          }
          to.send(new byte[0]).awaitTaken();
          return null;
        });
    for (byte[] each : sent) {
      assertArrayEquals(each, a.call(box::receive));
    }
    assertEquals(0, a.call(box::receive).length);
    result(sending);
  }

  /// What a receiver changes is its own, also of a message to itself.
  @Test
  void aMessageToOneself_isACopy() throws Exception {
    Node a = founder("a");
    byte[] sent = anyBytes(5_000);
    byte[] kept = sent.clone();
    byte[] received =
        a.call(() -> {
          Mailbox<byte[]> box = a.cluster.mailbox("box", BYTES);
          var _ = a.cluster.to("a", "box", BYTES).send(sent);
          return box.receive();
        });
    received[0]++;
    assertArrayEquals(kept, sent);
  }
}
