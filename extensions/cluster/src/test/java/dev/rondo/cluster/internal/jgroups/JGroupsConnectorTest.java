package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jgroups.PhysicalAddress;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

/// Packets to addresses that connect when the test says so, or never.
final class JGroupsConnectorTest {

  private static final int MANY = 1_000;

  private final Network network = new Network();
  private final JGroupsConnector connector = new JGroupsConnector(network);
  private final PhysicalAddress slow = address(1);
  private final PhysicalAddress other = address(2);

  private record Sent(PhysicalAddress to, String packet, Thread by) {}

  /// Each attempt to connect takes a permit, and fails if there is a failure.
  private static final class Network implements JGroupsConnector.Output {

    final Set<PhysicalAddress> connected = ConcurrentHashMap.newKeySet();
    final Semaphore mayEnd = new Semaphore(0);
    final BlockingQueue<PhysicalAddress> attempts = new LinkedBlockingQueue<>();
    final BlockingQueue<IOException> failing = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();

    @Override
    public boolean isConnected(PhysicalAddress to) {
      return connected.contains(to);
    }

    @Override
    public void send(PhysicalAddress to, byte[] packet, int offset, int length) throws Exception {
      if (!isConnected(to)) {
        attempts.add(to);
        mayEnd.acquire();
        IOException failure = failing.poll();
        if (failure != null) {
          throw failure;
        }
        connected.add(to);
      }
      String text = new String(packet, offset, length, StandardCharsets.US_ASCII);
      sent.add(new Sent(to, text, Thread.currentThread()));
    }

    @Override
    public Runnable limit(Thread connecting) {
      return () -> {};
    }

    @Override
    public void failed(PhysicalAddress to, Exception failure) {
      failures.add(failure);
    }

    Sent next() throws InterruptedException {
      return sent.poll(30, TimeUnit.SECONDS);
    }
  }

  private static PhysicalAddress address(int port) {
    try {
      return new IpAddress("127.0.0.1", port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void send(PhysicalAddress to, String packet) throws Exception {
    connector.send(to, packet.getBytes(StandardCharsets.US_ASCII), 0, packet.length());
  }

  @Test
  void send_toAConnectedAddress_isDoneByTheCaller() throws Exception {
    network.connected.add(other);
    send(other, "a");
    assertEquals(new Sent(other, "a", Thread.currentThread()), network.next());
  }

  @Test
  void send_whileAnotherAddressConnects_doesNotWaitForIt() throws Exception {
    network.connected.add(other);
    send(slow, "lost");
    assertSame(slow, network.attempts.take());
    send(other, "a");
    assertEquals("a", network.next().packet());
    connector.end();
  }

  @Test
  void packets_toAnAddress_keepTheirOrder_beforeAndAfterItIsConnected() throws Exception {
    var expected = new ArrayList<String>();
    var got = new ArrayList<String>();
    send(slow, "first");
    expected.add("first");
    assertSame(slow, network.attempts.take());
    for (int i = 0; i < MANY; i++) {
      send(slow, "" + i);
      expected.add("" + i);
      if (i == MANY / 2) {
        network.mayEnd.release();
      }
    }
    while (got.size() < expected.size()) {
      got.add(network.next().packet());
    }
    assertEquals(expected, got);
  }

  @Test
  void send_afterAllThatWaitedWasSent_isDoneByTheCaller() throws Exception {
    send(slow, "a");
    network.mayEnd.release();
    Thread connecting = network.next().by();
    assertNotSame(Thread.currentThread(), connecting);
    connecting.join();
    send(slow, "b");
    assertSame(Thread.currentThread(), network.next().by());
  }

  @Test
  void connectingThatFails_losesWhatWaitedForIt_andTheNextPacketTriesAgain() throws Exception {
    network.failing.add(new ConnectException("refused"));
    send(slow, "lost");
    assertSame(slow, network.attempts.take());
    send(slow, "b");
    network.mayEnd.release();
    assertSame(slow, network.attempts.take());
    assertInstanceOf(ConnectException.class, network.failures.take());
    network.mayEnd.release();
    assertEquals("b", network.next().packet());
    assertEquals(List.of(), List.copyOf(network.sent));
  }

  @Test
  void whatWaits_isBounded() throws Exception {
    byte[] large = new byte[JGroupsConnector.MOST_BYTES / 2];
    send(slow, "a");
    assertSame(slow, network.attempts.take());
    for (int i = 0; i < 10; i++) {
      connector.send(slow, large, 0, large.length);
    }
    network.mayEnd.release();
    Thread connecting = network.next().by();
    connecting.join();
    assertEquals(2, network.sent.size());
  }

  @Test
  void aPacketThatIsChangedAfterwards_isSentAsItWas() throws Exception {
    byte[] reused = {'a'};
    connector.send(slow, reused, 0, 1);
    reused[0] = 'b';
    network.mayEnd.release();
    assertEquals("a", network.next().packet());
  }

  @Test
  void end_endsTheThreads_andDropsWhatWaits() throws Exception {
    send(slow, "lost");
    send(other, "lost");
    var _ = network.attempts.take();
    var _ = network.attempts.take();
    send(slow, "lost, too");
    connector.end(); // joins them
    send(slow, "late");
    assertEquals(2, network.failures.size());
    assertEquals(List.of(), List.copyOf(network.sent));
    assertEquals(List.of(), List.copyOf(network.attempts));
  }
}
