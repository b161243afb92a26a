package dev.rondo.benchmarks.servers;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.Footprint;
import dev.rondo.benchmarks.Kind;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/// The echo servers that `EchoLoad` compares, one to a process. All servers set `TCP_NODELAY`. The
/// Rondo servers, the bare server and the blocking server read into 256 bytes.
public enum EchoServers {
  /// A selector loop written for this job: the limit.
  BARE {
    @Override
    void serve() throws IOException {
      BareServer.serve(EchoServers::echo);
    }
  },

  /// The same on the calls of the EPOLL transport.
  BARE_EPOLL {
    @Override
    void serve() throws IOException {
      BareServer.serveOnEpoll(EchoServers::echo);
    }
  },

  /// One task per connection.
  RONDO {
    @Override
    void serve() {
      RondoServer.serve(Transport.NIO, Application.builder(), EchoServers::echo);
    }
  },

  /// The same on the EPOLL transport.
  RONDO_EPOLL {
    @Override
    void serve() {
      RondoServer.serve(Transport.EPOLL, Application.builder(), EchoServers::echo);
    }
  },

  /// The same as RONDO with a recorder.
  RONDO_RECORDED {
    @Override
    void serve() {
      RondoServer.serve(
          Transport.NIO, Application.builder().recorder(Kind.RECORDED_EVENTS), EchoServers::echo);
    }
  },

  /// One task per connection, on the loop's virtual threads.
  RONDO_BOUND {
    @Override
    void serve() {
      RondoServer.serve(
          Transport.NIO,
          Application.builder().backend(CoroutineBackends.bound()),
          EchoServers::echo);
    }
  },

  NETTY_NIO {
    @Override
    void serve() throws Exception {
      NettyServer.serveOnNio(EchoServers::echo);
    }
  },

  NETTY_EPOLL {
    @Override
    void serve() throws Exception {
      NettyServer.serveOnEpoll(EchoServers::echo);
    }
  },

  /// One event loop, on Netty's epoll.
  VERTX {
    @Override
    void serve() {
      VertxServer.echo();
    }
  },

  /// Blocking sockets on virtual threads, on one carrier.
  VIRTUAL_THREADS {
    @Override
    void serve() throws IOException {
      try (var listener =
          new ServerSocket(0, BareServer.BACKLOG, InetAddress.getLoopbackAddress())) {
        ServerProcess.tell(listener.getLocalPort());
        while (true) {
          Socket socket = listener.accept();
          socket.setTcpNoDelay(true);
          Thread.startVirtualThread(() -> echo(socket));
        }
      }
    }

    private static void echo(Socket socket) {
      try (socket) {
        var in = socket.getInputStream();
        var out = socket.getOutputStream();
        var buffer = new byte[BUFFER_BYTES];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          out.write(buffer, 0, n);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  };

  private static final int BUFFER_BYTES = 256;

  abstract void serve() throws Exception;

  private static BareServer.Conversation echo(ByteChannel connection) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    return () -> {
      int n = connection.read(buffer.clear());
      if (n >= 0) {
        connection.write(buffer.flip());
      }
      return n >= 0;
    };
  }

  static void echo(ChannelPipeline pipeline) {
    pipeline.addLast(
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
          }
        });
  }

  public static void echo(TcpSocket socket) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    while (socket.read(buffer.clear()) >= 0) {
      socket.write(buffer.flip());
    }
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions(() -> Long.toString(Footprint.used()));
    valueOf(args[0]).serve();
  }
}
