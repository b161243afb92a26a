package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.servers.ServerProcess;
import dev.rondo.cluster.Codec;
import dev.rondo.cluster.Mailbox;
import dev.rondo.cluster.RemoteMailbox;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.scheduler.Scheduler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/// The members that [ClusterLoad] compares: a sender, and a receiver in a process of its own.
public enum ClusterMembers {

  /// A task sends to a mailbox, from which a task receives.
  RONDO {
    @Override
    void receive() throws Exception {
      try (Scheduler scheduler = Scheduler.builder().build()) {
        scheduler.spawn("receiver", () -> receive(scheduler));
        scheduler.start();
      }
    }

    private void receive(Scheduler scheduler) throws Exception {
      WaitForCluster cluster = WaitForCluster.on(scheduler, config(RECEIVER, List.of()));
      cluster.join();
      try (Mailbox<byte[]> mailbox = cluster.mailbox(MAILBOX, BYTES)) {
        ServerProcess.tell(cluster.address().orElseThrow().getPort());
        while (true) {
          byte[] _ = mailbox.receive();
        }
      }
    }

    @Override
    void send(int port, Program program) throws Exception {
      try (Scheduler scheduler = Scheduler.builder().build()) {
        scheduler.spawn("sender", () -> send(scheduler, port, program));
        scheduler.start();
      }
    }

    private void send(Scheduler scheduler, int port, Program program) throws Exception {
      ClusterConfig config = config("sender", List.of(port)).withAtLeast(2);
      WaitForCluster cluster = WaitForCluster.on(scheduler, config);
      cluster.join();
      RemoteMailbox<byte[]> mailbox = cluster.to(RECEIVER, MAILBOX, BYTES);
      program.run(
          new Sender() {
            @Override
            public void send(byte[] message) {
              var _ = mailbox.send(message);
            }

            @Override
            public void sendConfirmed(byte[] message) {
              mailbox.send(message).awaitTaken();
            }
          });
    }
  },

  /// JGroups, with its own flow control. A message counts as received when JGroups calls the
  /// program. It is not passed to another thread.
  JGROUPS {
    @Override
    void receive() throws Exception {
      BareMember.receive(BareMember.Flow.OF_JGROUPS);
    }

    @Override
    void send(int port, Program program) throws Exception {
      BareMember.send(port, BareMember.Flow.OF_JGROUPS, program);
    }
  },

  /// JGroups with the work of a mailbox: a thread takes and confirms messages, and the sender leads
  /// by at most a window.
  JGROUPS_WINDOW {
    @Override
    void receive() throws Exception {
      BareMember.receive(BareMember.Flow.OF_PROGRAM);
    }

    @Override
    void send(int port, Program program) throws Exception {
      BareMember.send(port, BareMember.Flow.OF_PROGRAM, program);
    }
  };

  private static final String RECEIVER = "receiver";
  private static final String MAILBOX = "mailbox";

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

  /// Sends messages, in the thread or task that runs a [Program].
  interface Sender {

    void send(byte[] message) throws Exception;

    /// Returns when this message and all earlier messages were received.
    void sendConfirmed(byte[] message) throws Exception;
  }

  /// The work of a sender.
  interface Program {
    void run(Sender sender) throws Exception;
  }

  /// Receives until the process ends. Prints its port.
  abstract void receive() throws Exception;

  /// Runs a program with a sender.
  ///
  /// @param port of the receiver
  abstract void send(int port, Program program) throws Exception;

  private static ClusterConfig config(String node, List<Integer> ports) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return ClusterConfig.of(node)
        .at(new InetSocketAddress(loopback, 0))
        .with(ports.stream().map(port -> new InetSocketAddress(loopback, port)).toList());
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions();
    valueOf(args[0]).receive();
  }
}
