package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Mailboxes and signals of two members, over a cluster within the JVM.
final class MailboxTest extends ClusterRig {

  private static final int LIMIT = 1_000;

  private static final Codec<Integer> NUMBERS =
      new Codec<>() {
        @Override
        public byte[] encode(Integer message) {
          return Codec.utf8().encode(message.toString());
        }

        @Override
        public Integer decode(byte[] bytes) throws Exception {
          return Integer.valueOf(Codec.utf8().decode(bytes));
        }
      };

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

  private final MemoryHub hub = new MemoryHub();
  private Node a;
  private Node b;
  private RemoteMailbox<Integer> toB;

  @BeforeEach
  void join() throws Exception {
    a = member("a");
    b = member("b");
    a.awaitMembers(members -> members.all().size() == 2);
    toB = a.call(() -> a.cluster.to("b", "box", NUMBERS));
  }

  private Node member(String name) throws Exception {
    Node node =
        node(
            ClusterConfig.of(name)
                .at(anyPort())
                .limited(ClusterLimits.USUAL.withMessageBytes(LIMIT)),
            hub::engine);
    node.join();
    return node;
  }

  @Override
  @AfterEach
  void end() throws Exception {
    super.end();
    hub.close();
  }

  private Mailbox<Integer> box() throws Exception {
    return b.call(() -> b.cluster.mailbox("box", NUMBERS));
  }

  /// Whatever went from a to b and back before this has arrived.
  private void flush() throws Exception {
    Mailbox<String> echo = b.call(() -> b.cluster.mailbox("echo", Codec.utf8()));
    var answered =
        a.begin(() -> {
          a.cluster.to("b", "echo", Codec.utf8()).send("ping").awaitTaken();
          return null;
        });
    assertEquals("ping", b.call(() -> echo.receive()));
    result(answered);
    b.run(echo::close);
  }

  private Reason refusal(CompletableFuture<?> failed) {
    return assertThrows(DeliveryException.class, () -> result(failed)).reason();
  }

  private CompletableFuture<Void> confirmed(int message) {
    return a.begin(() -> {
      toB.send(message).awaitTaken();
      return null;
    });
  }

  @Test
  void aMessageToTheNodeItself_thatItSentBeforeItJoined_isTaken() throws Exception {
    Node c = node(ClusterConfig.of("c").at(anyPort()), hub::engine);
    c.run(() -> {
      Mailbox<Integer> own = c.cluster.mailbox("box", NUMBERS);
      Delivery sent = c.cluster.to("c", "box", NUMBERS).send(1);
      c.cluster.join();
      assertEquals(1, own.receive());
      sent.awaitTaken();
    });
  }

  /// As after a pause of one of them, or when a network is whole again: then the sender knows
  /// nothing of what it had sent before.
  @Test
  void aMemberThatWasLostAndIsBack_receivesAsManyMessagesAsBefore() throws Exception {
    Mailbox<Integer> box = box();
    int most = Backlog.MOST_MESSAGES;
    for (int round = 0; round < 3; round++) {
      int first = round * most;
      var _ =
          a.call(() -> {
            for (int i = 0; i < most; i++) {
              var _ = toB.send(first + i);
            }
            return null;
          });
      flush();
      hub.hide("a", "b");
      a.awaitMembers(members -> members.all().size() == 1);
      hub.hide("a", "no member");
      a.awaitMembers(members -> members.all().size() == 2);
    }
    var last = confirmed(3 * most);
    for (int i = 0; i <= 3 * most; i++) {
      assertEquals(i, b.call(() -> box.receive()));
    }
    result(last);
    assertEquals(0, b.call(b.cluster::rejected));
  }

  /// It is the first one that the sender counts, taken or not.
  @Test
  void aMemberThatIsBack_refusesTheFirstMessage_receivesTheOthers() throws Exception {
    Mailbox<byte[]> box = b.call(() -> b.cluster.mailbox("bytes", BYTES));
    Node c =
        node(
            ClusterConfig.of("c")
                .at(anyPort())
                .limited(ClusterLimits.USUAL.withMessageBytes(2 * LIMIT)),
            hub::engine);
    c.join();
    c.awaitMembers(members -> members.all().size() == 3);
    RemoteMailbox<byte[]> to = c.call(() -> c.cluster.to("b", "bytes", BYTES));
    int most = Backlog.MOST_MESSAGES;
    sendEmpty(c, to, most);
    hub.hide("c", "b");
    c.awaitMembers(members -> members.all().size() == 2);
    hub.hide("c", "no member");
    c.awaitMembers(members -> members.all().size() == 3);
    var tooLarge =
        c.begin(() -> {
          to.send(new byte[LIMIT + 1]).awaitTaken();
          return null;
        });
    assertEquals(Reason.TOO_LARGE, refusal(tooLarge));
    sendEmpty(c, to, most);
    for (int i = 0; i < 2 * most; i++) {
      assertEquals(0, b.call(() -> box.receive()).length);
    }
    assertEquals(1, b.call(b.cluster::rejected));
  }

  private static void sendEmpty(Node from, RemoteMailbox<byte[]> to, int count) throws Exception {
    var _ =
        from.call(() -> {
          for (int i = 0; i < count; i++) {
            var _ = to.send(new byte[0]);
          }
          return null;
        });
  }

  // Order, limits.

  @Test
  void messages_ofATask_arriveInOrder() throws Exception {
    Mailbox<Integer> box = box();
    int count = 1_000;
    var sent =
        a.begin(() -> {
          for (int i = 0; i < count; i++) {
            var _ = toB.send(i);
          }
          return null;
        });
    var received =
        b.call(() -> {
          var messages = new ArrayList<Integer>();
          for (int i = 0; i < count; i++) {
            messages.add(box.receive());
          }
          return messages;
        });
    result(sent);
    for (int i = 0; i < count; i++) {
      assertEquals(i, received.get(i));
    }
  }

  @Test
  void send_toAFullMailbox_suspendsUntilAMessageIsTaken() throws Exception {
    Mailbox<Integer> box = box();
    a.run(() -> {
      for (int i = 0; i < Backlog.MOST_MESSAGES; i++) {
        var _ = toB.send(i);
      }
    });
    Task<Delivery> next = a.call(() -> a.scheduler.spawn("next", () -> toB.send(-1)));
    b.await(() -> box.size() == Backlog.MOST_MESSAGES);
    flush();
    assertEquals(TaskState.WAITING, a.call(next::taskState));
    assertEquals(0, b.call(() -> box.receive()));
    a.run(() -> {
      var _ = next.join();
    });
    for (int i = 1; i < Backlog.MOST_MESSAGES; i++) {
      assertEquals(i, b.call(() -> box.receive()));
    }
    assertEquals(-1, b.call(() -> box.receive()));
  }

  @Test
  void send_thatIsCancelled_hasSentNothing() throws Exception {
    Mailbox<Integer> box = box();
    a.run(() -> {
      for (int i = 0; i < Backlog.MOST_MESSAGES; i++) {
        var _ = toB.send(i);
      }
    });
    a.run(() -> {
      Task<Delivery> given = a.scheduler.spawn("given up", () -> toB.send(-1));
      a.scheduler.yield();
      given.cancel("enough");
      a.scheduler.yield();
      assertTrue(given.isDone());
    });
    var last = a.begin(() -> toB.send(-2));
    for (int i = 0; i < Backlog.MOST_MESSAGES; i++) {
      assertEquals(i, b.call(() -> box.receive()));
    }
    assertEquals(-2, b.call(() -> box.receive()));
    result(last);
  }

  @Test
  void aMemberThatIgnoresTheLimit_isRefused() throws Exception {
    Mailbox<Integer> box = box();
    for (int i = 0; i <= Backlog.MOST_MESSAGES; i++) {
      hub.inject(
          "a", "b", Frame.message(false, i, "box", "1".getBytes(StandardCharsets.UTF_8)).bytes());
    }
    b.await(() -> box.size() == Backlog.MOST_MESSAGES && b.cluster.rejected() == 1);
  }

  // Confirmations, refusals.

  @Test
  void awaitTaken_waitsForTheTaskThatReceives() throws Exception {
    Mailbox<Integer> box = box();
    var confirmed = confirmed(1);
    b.await(() -> box.size() == 1);
    flush();
    assertFalse(confirmed.isDone());
    assertEquals(1, b.call(() -> box.receive()));
    result(confirmed);
  }

  @Test
  void send_withoutAMember_fails() {
    assertEquals(
        Reason.NO_MEMBER, refusal(a.begin(() -> a.cluster.to("missing", "box", NUMBERS).send(1))));
  }

  @Test
  void send_withoutAMailbox_isLost_andAConfirmationFails() throws Exception {
    a.run(() -> {
      var _ = toB.send(1);
    });
    assertEquals(Reason.NO_MAILBOX, refusal(confirmed(2)));
    Mailbox<Integer> box = box();
    var third = confirmed(3);
    assertEquals(3, b.call(() -> box.receive()));
    result(third);
  }

  @Test
  void close_ofAMailbox_refusesWhatNoTaskHasTaken() throws Exception {
    Mailbox<Integer> box = box();
    var waiting = confirmed(1);
    b.await(() -> box.size() == 1);
    b.run(box::close);
    assertEquals(Reason.NO_MAILBOX, refusal(waiting));
    assertThrows(ClosedException.class, () -> b.call(() -> box.receive()));
  }

  @Test
  void iterating_endsInOrderWhenTheMailboxIsClosed_andWithTheCauseOfACancellation()
      throws Exception {
    var received = new ArrayList<Integer>();
    Mailbox<Integer> box = box();
    var reading =
        b.begin(() -> {
          box.forEach(received::add);
          return true;
        });
    result(confirmed(1));
    b.run(box::close);
    assertTrue(result(reading));
    assertEquals(List.of(1), received);

    Mailbox<Integer> second = box();
    var cause = new IllegalStateException("the disk is full");
    var failing = b.begin(() -> assertThrows(ClosedException.class, () -> second.forEach(_ -> {})));
    b.run(() -> second.cancel(cause));
    assertSame(cause, result(failing).getCause());
    assertSame(
        cause, b.call(() -> assertThrows(ClosedException.class, second::tryReceive)).getCause());
  }

  @Test
  void iterating_theMailboxIsCancelled_isNoEndInOrder() throws Exception {
    Mailbox<Integer> box = box();
    var failing = b.begin(() -> assertThrows(ClosedException.class, () -> box.forEach(_ -> {})));
    b.run(() -> {
      var _ = box.cancel();
    });
    assertNull(result(failing).getCause());
  }

  @Test
  void aMemberThatLeaves_failsWhatIsUnderWayToIt() throws Exception {
    Mailbox<Integer> box = box();
    var under = confirmed(1);
    b.await(() -> box.size() == 1);
    b.leave();
    assertEquals(Reason.MEMBER_LEFT, refusal(under));
    b.join();
    a.awaitMembers(members -> members.all().size() == 2);
    var again = confirmed(2);
    assertEquals(1, b.call(() -> box.receive()));
    assertEquals(2, b.call(() -> box.receive()));
    result(again);
  }

  @Test
  void aMessageThatTheCodecRefuses_harmsNothing() throws Exception {
    Mailbox<Integer> box = box();
    var bad =
        a.begin(() -> {
          a.cluster.to("b", "box", Codec.utf8()).send("no number").awaitTaken();
          return null;
        });
    assertEquals(Reason.BAD_BYTES, refusal(bad));
    var good = confirmed(7);
    assertEquals(7, b.call(() -> box.receive()));
    result(good);
    assertEquals(1L, b.call(b.cluster::rejected));
  }

  /// As of a class that has changed, or of a message that refers to itself.
  @Test
  void aMessageThatTheCodecFailsAt_isRefused_andTheNextIsReceived() throws Exception {
    var error = new NoSuchFieldError("of another version");
    Codec<Integer> broken =
        new Codec<>() {
          @Override
          public byte[] encode(Integer message) {
            return NUMBERS.encode(message);
          }

          @Override
          public Integer decode(byte[] bytes) throws Exception {
            int number = NUMBERS.decode(bytes);
            if (number == 1) {
              throw error;
            }
            return number;
          }
        };
    Mailbox<Integer> box = b.call(() -> b.cluster.mailbox("box", broken));
    var bad = confirmed(1);
    assertEquals(Reason.BAD_BYTES, refusal(bad));
    var good = confirmed(7);
    assertEquals(7, b.call(() -> box.receive()));
    result(good);
    assertEquals(List.of(error), List.copyOf(failures));
    failures.clear();
  }

  @Test
  void aLargeMessage_isRefused_onBothSides() throws Exception {
    Mailbox<byte[]> box = b.call(() -> b.cluster.mailbox("bytes", BYTES));
    RemoteMailbox<byte[]> to = a.call(() -> a.cluster.to("b", "bytes", BYTES));
    assertThrows(IllegalArgumentException.class, () -> a.call(() -> to.send(new byte[LIMIT + 1])));
    hub.inject("a", "b", Frame.message(false, 1, "bytes", new byte[LIMIT + 1]).bytes());
    b.await(() -> b.cluster.rejected() == 1);
    var largest = a.begin(() -> to.send(new byte[LIMIT]));
    assertEquals(LIMIT, b.call(() -> box.receive()).length);
    result(largest);
  }

  @Test
  void javaSerialization_isRefused_onBothSides() throws Exception {
    Mailbox<byte[]> box = b.call(() -> b.cluster.mailbox("bytes", BYTES));
    RemoteMailbox<byte[]> to = a.call(() -> a.cluster.to("b", "bytes", BYTES));
    var stream = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(stream)) {
      out.writeObject(List.of("gadget"));
    }
    byte[] serialized = stream.toByteArray();
    assertThrows(IllegalArgumentException.class, () -> a.call(() -> to.send(serialized)));
    hub.inject("a", "b", Frame.message(false, 1, "bytes", serialized).bytes());
    b.await(() -> b.cluster.rejected() == 1);
    assertEquals(0, b.call(box::size));
  }

  @Test
  void anythingThatIsNoFrame_harmsNothing() throws Exception {
    Mailbox<Integer> box = box();
    byte[] whole = Frame.message(false, 1, "box", "1".getBytes(StandardCharsets.UTF_8)).bytes();
    int bad = 0;
    for (int length = 0; length < whole.length - 1 - "box".length(); length++, bad++) {
      hub.inject("a", "b", Arrays.copyOf(whole, length));
    }
    for (byte wrong : new byte[] {-1, 0, 2, 127}) {
      byte[] version = whole.clone();
      version[0] = wrong;
      hub.inject("a", "b", version);
      bad++;
    }
    for (byte wrong : new byte[] {-1, 4, 127}) {
      byte[] kind = whole.clone();
      kind[1] = wrong;
      hub.inject("a", "b", kind);
      bad++;
    }
    hub.inject("a", "b", Frame.taken(false, 99, "nothing of ours").bytes());
    hub.inject("a", "b", Frame.refused(true, Reason.OVERRUN, -5, "nothing of ours").bytes());
    int expected = bad;
    b.await(() -> b.cluster.rejected() == expected);
    var good = confirmed(7);
    assertEquals(7, b.call(() -> box.receive()));
    result(good);
  }

  // Signals.

  @Test
  void aSignal_wakesTheTasksOfAllMembers_thatWait() throws Exception {
    ClusterSignal<Integer> ofA = a.call(() -> a.cluster.signal("news", NUMBERS));
    ClusterSignal<Integer> ofB = b.call(() -> b.cluster.signal("news", NUMBERS));
    Task<Integer> hereA = a.call(() -> a.scheduler.spawn(() -> a.scheduler.await(ofA)));
    Task<Integer> hereB = b.call(() -> b.scheduler.spawn(() -> b.scheduler.await(ofB)));
    a.await(() -> hereA.taskState() == TaskState.WAITING);
    b.await(() -> hereB.taskState() == TaskState.WAITING);
    assertEquals(2, a.call(() -> ofA.signalAll(5)));
    assertEquals(5, a.call(() -> hereA.join()));
    assertEquals(5, b.call(() -> hereB.join()));
  }

  @Test
  void signals_ofAMember_arriveInOrder() throws Exception {
    ClusterSignal<Integer> ofA = a.call(() -> a.cluster.signal("news", NUMBERS));
    ClusterSignal<Integer> ofB = b.call(() -> b.cluster.signal("news", NUMBERS));
    var seen = new ArrayList<Integer>();
    b.run(() -> ofB.onSignal(seen::add));
    for (int i = 0; i < 100; i++) {
      int number = i;
      a.run(() -> ofA.signalAll(number));
      b.await(() -> seen.size() == number + 1);
    }
    assertEquals(99, seen.getLast());
  }

  @Test
  void names_areTakenOnce() throws Exception {
    Mailbox<Integer> box = box();
    assertThrows(IllegalStateException.class, this::box);
    b.run(box::close);
    Mailbox<Integer> again = box();
    b.run(again::close);
  }
}
