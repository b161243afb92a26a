package dev.rondo.cluster.internal.agreement;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.Result.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a replica makes of commands, and of those that come twice.
final class ReplicaTest {

  private static final byte[] NODE = "n".getBytes(StandardCharsets.UTF_8);

  /// As 0.1.0 writes them to etcd and folders. Other bytes need another [Command#VERSION].
  private static final String STATE =
      "000000000000000600000000000000010000000100016c000000000000000100000000000000"
          + "000100046d312f73000000000000000100016e00000000000003e80000000100046d322f7300"
          + "0000000000000100016e00000000000003e80000000100016300000000000000070000000100"
          + "0172000000016e0000000200046d312f73000000000000000000000000000000030000000100"
          + "00000000000001000000000000000001ffffffff00046d322f73000000000000000000000000"
          + "00000006000000030000000000000001020000000000000000ffffffff000000000000000200"
          + "0000000000000007ffffffff0000000000000003000000000000000000ffffffff";

  private static final String COMMAND =
      "010b00046d312f73000000000000000100000000000000000001720000000000000005ffffff"
          + "ffffffffff000000016effffffff";

  private final List<Replica.Applied> applied = new ArrayList<>();
  private Replica replica = new Replica(applied::add);

  @BeforeEach
  void open() {
    var _ = apply("m1/s", 0, Command.of(Kind.OPEN, "", 0, 0));
    var _ = apply("m2/s", 0, Command.of(Kind.OPEN, "", 0, 0));
  }

  private Result apply(String client, long id, Command command) {
    applied.clear();
    replica.apply(command.numbered(client, id, 0).bytes());
    return applied.isEmpty() ? Result.UNKNOWN_SESSION : applied.getFirst().result();
  }

  private static Command take(boolean waits) {
    return Command.of(Kind.TAKE, "l", 1_000, waits ? 1 : 0).with(NODE, null);
  }

  @Test
  void aCommandThatComesTwice_isAppliedOnce_andAnsweredTwice() {
    Command add = Command.of(Kind.ADD, "c", 5, 0);
    assertEquals(5, apply("m1/s", 1, add).number());
    assertEquals(5, apply("m1/s", 1, add).number());
    assertEquals(10, apply("m2/s", 1, add).number());
  }

  @Test
  void aValueThatWasRead_isNotKept_andReadAnewForTheSameCommand() throws Exception {
    var large = new byte[1_000];
    var _ = apply("m1/s", 1, Command.of(Kind.WRITE, "r", 0, 0).with(large, null));
    Command read = Command.of(Kind.READ, "r", 0, 0);
    assertArrayEquals(large, apply("m1/s", 2, read).value());
    var _ = apply("m2/s", 1, Command.of(Kind.WRITE, "r", 0, 0).with(NODE, null));
    assertTrue(replica.save().length < large.length);
    assertArrayEquals(NODE, apply("m1/s", 2, read).value());
  }

  @Test
  void aCommandThatWasAnswered_isNotAppliedAgain() {
    replica.apply(Command.of(Kind.ADD, "c", 5, 0).numbered("m1/s", 1, 0).bytes());
    replica.apply(Command.of(Kind.ADD, "c", 1, 0).numbered("m1/s", 2, 1).bytes());
    replica.apply(Command.of(Kind.ADD, "c", 5, 0).numbered("m1/s", 1, 0).bytes());
    assertEquals(6, apply("m1/s", 3, Command.of(Kind.ADD, "c", 0, 0)).number());
  }

  @Test
  void aCommandOfAnUnknownSession_isNotApplied() {
    assertEquals(Status.UNKNOWN_SESSION, apply("x/s", 1, Command.of(Kind.ADD, "c", 5, 0)).status());
    assertEquals(0, apply("m1/s", 1, Command.of(Kind.ADD, "c", 0, 0)).number());
  }

  @Test
  void bytesThatAreNoCommand_changeNothing() {
    replica.apply(new byte[0]);
    replica.apply(new byte[] {9, 9, 9});
    replica.apply(new byte[] {1, 127});
    assertEquals(1, apply("m1/s", 1, Command.of(Kind.ADD, "c", 1, 0)).number());
  }

  @Test
  void expire_afterARenewal_changesNothing() {
    long token = apply("m1/s", 1, take(false)).number();
    assertEquals(Status.DONE, apply("m1/s", 2, Command.of(Kind.RENEW, "l", token, 0)).status());
    assertEquals(Status.REFUSED, apply("m2/s", 1, Command.of(Kind.EXPIRE, "l", token, 0)).status());
    assertEquals(Status.REFUSED, apply("m2/s", 2, take(false)).status());
    assertEquals(Status.DONE, apply("m2/s", 3, Command.of(Kind.EXPIRE, "l", token, 1)).status());
    assertEquals(Status.REFUSED, apply("m1/s", 3, Command.of(Kind.RENEW, "l", token, 0)).status());
    assertEquals(token + 1, apply("m2/s", 4, take(false)).number());
    assertEquals(
        Status.REFUSED, apply("m1/s", 4, Command.of(Kind.RELEASE, "l", token, 0)).status());
  }

  @Test
  void release_givesTheLeaseToTheNextThatIsThere() {
    long token = apply("m1/s", 1, take(true)).number();
    assertEquals(Status.QUEUED, apply("m2/s", 1, take(true)).status());
    assertEquals(Status.QUEUED, apply("m1/s", 2, take(true)).status());
    byte[] present = LeaseTable.present(List.of("m1"));
    var _ = apply("m1/s", 3, Command.of(Kind.RELEASE, "l", token, 0).with(present, null));
    LeaseState now = applied.getFirst().leases().getLast();
    assertEquals(new LeaseState.Request("m1/s", 2, "n", 1_000), now.holder());
    assertEquals(token + 1, now.token());
    assertEquals(List.of(), now.waiting());
  }

  @Test
  void forget_takesBackAQueuedRequest_andAHeldLease() {
    long token = apply("m1/s", 1, take(true)).number();
    var _ = apply("m2/s", 1, take(true));
    var _ = apply("m2/s", 2, take(true));
    var _ = apply("m2/s", 3, Command.of(Kind.FORGET, "l", 1, 0));
    var _ = apply("m1/s", 2, Command.of(Kind.FORGET, "l", 1, 0));
    LeaseState now = applied.getFirst().leases().getLast();
    assertEquals(new LeaseState.Request("m2/s", 2, "n", 1_000), now.holder());
    assertEquals(token + 1, now.token());
  }

  @Test
  void aCommand_isWrittenAndReadAsBefore() {
    byte[] before = HexFormat.of().parseHex(COMMAND);
    Command read = requireNonNull(Command.of(before));
    assertEquals(Kind.COMPARE, read.kind());
    assertArrayEquals(before, read.bytes());
  }

  @Test
  void aSavedState_isWrittenAndReadAsBefore() throws Exception {
    var _ = apply("m1/s", 1, take(true));
    var _ = apply("m2/s", 1, take(true));
    var _ = apply("m2/s", 2, Command.of(Kind.ADD, "c", 7, 0));
    var _ = apply("m2/s", 3, Command.of(Kind.WRITE, "r", 0, 0).with(NODE, null));
    byte[] saved = replica.save();
    assertEquals(STATE, HexFormat.of().formatHex(saved));
    replica = new Replica(applied::add);
    applied.clear();
    replica.restore(saved);
    assertEquals(1, applied.getFirst().leases().size());
    assertArrayEquals(saved, replica.save());
    assertEquals(7, apply("m2/s", 2, Command.of(Kind.ADD, "c", 7, 0)).number());
    assertArrayEquals(NODE, apply("m2/s", 4, Command.of(Kind.READ, "r", 0, 0)).value());
  }
}
