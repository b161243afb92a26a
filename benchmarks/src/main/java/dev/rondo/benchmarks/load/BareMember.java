package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.DiagnosticsHandler;
import org.jgroups.stack.Protocol;

/// Members of plain JGroups, with the protocols of the cluster's `JGroupsStack`. A change there
/// must be made here too.
public final class BareMember {

  /// Whether JGroups or the program limits the lead of a sender.
  enum Flow {
    OF_JGROUPS,
    OF_PROGRAM
  }

  private static final String CLUSTER = "bench";
  private static final long SILENCE_MILLIS = 8_000;
  private static final int HEARTBEATS = 8;

  /// The lead of a sender, as with a mailbox. With a greater lead, JGroups drops small messages in
  /// its own queues, and repeats them.
  private static final int WINDOW_BYTES = 1 << 20;

  /// The least number of bytes that a message counts for, because a mailbox holds 1,024 messages.
  private static final int LEAST_BYTES = 1 << 10;

  private BareMember() {}

  // The receiver.

  static void receive(Flow flow) throws Exception {
    int port = freePort();
    JChannel channel = member(port, List.of(), flow);
    if (flow == Flow.OF_JGROUPS) {
      channel.setReceiver((Arriving) message -> confirmIfLast(channel, message));
    } else {
      BlockingQueue<Message> taken = new LinkedBlockingQueue<>();
      channel.setReceiver((Arriving) taken::add);
      var _ = Thread.ofPlatform().daemon().start(() -> takeAll(channel, taken));
    }
    var _ = channel.connect(CLUSTER);
    ServerProcess.tell(port);
    Thread.currentThread().join(); // it ends with the process
  }

  /// A receiver whose other methods do nothing.
  @FunctionalInterface
  private interface Arriving extends Receiver {
    @Override
    void receive(Message message);
  }

  private static void confirmIfLast(JChannel channel, Message message) {
    if (message.getArray()[message.getOffset()] == LAST) {
      confirm(channel, message.getSrc(), 1);
    }
  }

  private static void takeAll(JChannel channel, BlockingQueue<Message> arrived) {
    try {
      int unconfirmed = 0;
      while (true) {
        Message message = arrived.take();
        unconfirmed += cost(message.getLength());
        if (arrived.isEmpty() || unconfirmed >= WINDOW_BYTES / 2) {
          confirm(channel, message.getSrc(), unconfirmed);
          unconfirmed = 0;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int cost(int bytes) {
    return Math.max(bytes, LEAST_BYTES);
  }

  private static void confirm(JChannel channel, Address sender, int count) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(count).array();
    try {
      var _ = channel.send(new BytesMessage(sender, bytes));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  // The sender.

  private static final byte LAST = 1;

  static void send(int port, Flow flow, ClusterMembers.Program program) throws Exception {
    var permits = new Semaphore(flow == Flow.OF_JGROUPS ? 0 : WINDOW_BYTES);
    try (JChannel channel = member(freePort(), List.of(port), flow)) {
      channel.setReceiver(
          (Arriving)
              message ->
                  permits.release(
                      ByteBuffer.wrap(message.getArray(), message.getOffset(), Integer.BYTES)
                          .getInt()));
      var _ = channel.connect(CLUSTER);
      Address receiver = channel.getView().getMembers().getFirst();
      if (receiver.equals(channel.getAddress())) {
        throw new IOException("the receiver was not found");
      }
      program.run(
          flow == Flow.OF_JGROUPS
              ? new Unlimited(channel, receiver, permits)
              : new Windowed(channel, receiver, permits));
    }
  }

  private record Unlimited(JChannel channel, Address receiver, Semaphore confirmed)
      implements ClusterMembers.Sender {

    @Override
    public void send(byte[] message) throws Exception {
      var _ = channel.send(new BytesMessage(receiver, message));
    }

    @Override
    public void sendConfirmed(byte[] message) throws Exception {
      byte[] last = message.clone();
      last[0] = LAST;
      var _ = channel.send(new BytesMessage(receiver, last));
      confirmed.acquire();
    }
  }

  private record Windowed(JChannel channel, Address receiver, Semaphore permits)
      implements ClusterMembers.Sender {

    @Override
    public void send(byte[] message) throws Exception {
      permits.acquire(cost(message.length));
      var _ = channel.send(new BytesMessage(receiver, message));
    }

    @Override
    public void sendConfirmed(byte[] message) throws Exception {
      send(message);
      permits.acquire(WINDOW_BYTES);
      permits.release(WINDOW_BYTES);
    }
  }

  // Both.

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static JChannel member(int port, List<Integer> others, Flow flow) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    List<InetSocketAddress> addresses =
        others.stream().map(each -> new InetSocketAddress(loopback, each)).toList();
    List<Protocol> protocols =
        new ArrayList<>(
            List.of(
                transport(loopback, port),
                new TCPPING().setInitialHosts(addresses).setPortRange(0),
                new MERGE3().setMinInterval(1_000).setMaxInterval(3_000),
                new FD_ALL3().setTimeout(SILENCE_MILLIS).setInterval(SILENCE_MILLIS / HEARTBEATS),
                new VERIFY_SUSPECT2().setTimeout(1_000),
                new NAKACK2().useMcastXmit(false),
                new UNICAST3().setXmitInterval(100),
                new STABLE(),
                new GMS().printLocalAddress(false).setJoinTimeout(others.isEmpty() ? 1 : 1_000)));
    if (flow == Flow.OF_JGROUPS) {
      protocols.add(new UFC().setMaxCredits(WINDOW_BYTES));
    }
    protocols.add(new FRAG2().setFragSize(60_000));
    return new JChannel(protocols).setDiscardOwnMessages(true);
  }

  private static TCP transport(InetAddress address, int port) throws Exception {
    var transport = new TCP();
    transport.setBindAddress(address);
    transport.setBindPort(port);
    transport.setPortRange(0);
    transport.setDiagnosticsHandler(new DiagnosticsHandler().setEnabled(false));
    transport.enableSuspectEvents(true);
    transport.setMaxLength(1 << 20);
    transport.nonBlockingSends(true);
    transport.logDetails(false);
    transport.tcpNodelay(true);
    return transport;
  }
}
