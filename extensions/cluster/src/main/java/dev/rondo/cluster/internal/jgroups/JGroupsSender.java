package dev.rondo.cluster.internal.jgroups;

import dev.rondo.cluster.internal.engine.Frame;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jspecify.annotations.Nullable;

/// The thread that sends what a member has to send, because JGroups may block.
///
/// Its messages go straight to the connection: it takes the place of the thread of JGroups that
/// collects messages, so that a message changes threads no more often than without it. What other
/// threads send is collected as ever.
public final class JGroupsSender {

  /// Sends the frames.
  interface Output {

    /// Sends frames to a member. May block.
    void send(Address to, List<Frame> frames);
  }

  /// @param to null for the last one
  private record Outgoing(@Nullable Address to, List<Frame> frames) {}

  private final Output output;
  private final BlockingQueue<Outgoing> queue = new LinkedTransferQueue<>();
  private final Thread thread;

  JGroupsSender(String node, Output output) {
    this.output = output;
    this.thread = Thread.ofVirtual().name("cluster-sender-" + node).unstarted(this::sendAll);
  }

  void start() {
    thread.start();
  }

  /// Any thread; never blocks.
  void send(Address to, List<Frame> frames) {
    queue.add(new Outgoing(to, frames));
  }

  /// Ends when all is sent. Blocks.
  void end(long mostMillis) throws InterruptedException {
    queue.add(new Outgoing(null, List.of()));
    thread.join(mostMillis);
  }

  private void sendAll() {
    try {
      Outgoing next = queue.take();
      for (Address to; (to = next.to()) != null; next = queue.take()) {
        output.send(to, next.frames());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// {@return what the transport sends with}
  TransferQueueBundler bundler() {
    return new Bundler();
  }

  private final class Bundler extends TransferQueueBundler {

    /// Of the sender's thread.
    private final ByteArrayDataOutputStream own =
        new ByteArrayDataOutputStream(max_size).growExponentially(true);

    @Override
    public void send(Message message) throws Exception {
      if (Thread.currentThread() == thread) {
        var _ = own.position(0);
        sendSingle(message.getDest(), message, own);
      } else {
        super.send(message);
      }
    }
  }
}
