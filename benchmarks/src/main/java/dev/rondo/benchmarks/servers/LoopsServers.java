package dev.rondo.benchmarks.servers;

import dev.rondo.application.AcceptSharing;
import dev.rondo.benchmarks.servers.RondoServer.Protocol;
import io.netty.channel.ChannelPipeline;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The servers that `LoopsLoad` compares, one to a process: on one loop and on two, all on EPOLL.
/// The report of a server of Rondo's is the number of connections that each loop has accepted.
public enum LoopsServers {
  RONDO_ECHO_ON_ONE {
    @Override
    void serve() {
      rondo(1, AcceptSharing.REUSE_PORT, EchoServers::echo);
    }
  },

  RONDO_ECHO_ON_TWO {
    @Override
    void serve() {
      rondo(2, AcceptSharing.REUSE_PORT, EchoServers::echo);
    }
  },

  /// One more thread accepts, and deals the connections to the loops.
  RONDO_ECHO_DEALT_TO_TWO {
    @Override
    void serve() {
      rondo(2, AcceptSharing.DEALT, EchoServers::echo);
    }
  },

  NETTY_ECHO_ON_ONE {
    @Override
    void serve() throws InterruptedException {
      netty(1, EchoServers::echo);
    }
  },

  NETTY_ECHO_ON_TWO {
    @Override
    void serve() throws InterruptedException {
      netty(2, EchoServers::echo);
    }
  },

  RONDO_HTTP_ON_ONE {
    @Override
    void serve() {
      rondo(1, AcceptSharing.REUSE_PORT, HttpServers::respond);
    }
  },

  RONDO_HTTP_ON_TWO {
    @Override
    void serve() {
      rondo(2, AcceptSharing.REUSE_PORT, HttpServers::respond);
    }
  },

  NETTY_HTTP_ON_ONE {
    @Override
    void serve() throws InterruptedException {
      netty(1, HttpServers::handle);
    }
  },

  NETTY_HTTP_ON_TWO {
    @Override
    void serve() throws InterruptedException {
      netty(2, HttpServers::handle);
    }
  };

  abstract void serve() throws Exception;

  private static void rondo(int loops, AcceptSharing sharing, Protocol protocol) {
    var accepted = new AtomicIntegerArray(loops);
    ServerProcess.answerQuestions(() ->
        IntStream.range(0, loops)
            .mapToObj(i -> Integer.toString(accepted.get(i)))
            .collect(Collectors.joining(" ")));
    RondoServer.serveOnLoops(sharing, accepted, protocol);
  }

  private static void netty(int loops, Consumer<ChannelPipeline> protocol)
      throws InterruptedException {
    ServerProcess.answerQuestions();
    NettyServer.serveOnLoops(loops, protocol);
  }

  public boolean isEcho() {
    return name().contains("ECHO");
  }

  /// Whether the report says how many connections each of several loops has.
  public boolean sharesConnections() {
    return this == RONDO_ECHO_ON_TWO || this == RONDO_ECHO_DEALT_TO_TWO;
  }

  static void main(String[] args) throws Exception {
    valueOf(args[0]).serve();
  }
}
