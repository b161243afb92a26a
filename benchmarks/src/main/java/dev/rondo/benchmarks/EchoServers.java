package dev.rondo.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;

/// The echo servers that [EchoLoad] compares, one to a process. All of them read into 256 bytes and
/// have `TCP_NODELAY` set.
enum EchoServers {
  /// A selector loop written for just this: the limit.
  HAND {
    @Override
    void serve() throws IOException {
      var selector = Selector.open();
      var listener = ServerSocketChannel.open().bind(loopback(), BACKLOG);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT);
      tell(listener.socket().getLocalPort());
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      while (true) {
        selector.select(key -> {
          try {
            if (key.isAcceptable()) {
              var connection = listener.accept();
              connection.configureBlocking(false);
              connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
              connection.register(selector, SelectionKey.OP_READ);
            } else {
              echo((java.nio.channels.SocketChannel) key.channel(), buffer);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
      }
    }

    private static void echo(java.nio.channels.SocketChannel connection, ByteBuffer buffer)
        throws IOException {
      if (connection.read(buffer.clear()) < 0) {
        connection.close();
      } else {
        connection.write(buffer.flip());
      }
    }
  },

  /// One task per connection.
  RONDO {
    @Override
    void serve() {
      Application.run(app -> {
        TcpListener listener = app.io().listen(loopback());
        tell(listener.port());
        while (true) {
          TcpSocket socket = listener.accept();
          app.spawn("echo", () -> echo(socket));
        }
      });
    }

    private static void echo(TcpSocket socket) throws IOException {
      try (socket) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (socket.read(buffer.clear()) >= 0) {
          socket.write(buffer.flip());
        }
      }
    }
  },

  NETTY_NIO {
    @Override
    void serve() throws Exception {
      netty(NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }
  },

  NETTY_EPOLL {
    @Override
    void serve() throws Exception {
      netty(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }
  },

  /// Blocking sockets on virtual threads, on one carrier.
  VIRTUAL {
    @Override
    void serve() throws IOException {
      try (var listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
        tell(listener.getLocalPort());
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
  private static final int BACKLOG = 1024;

  abstract void serve() throws Exception;

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static void tell(int port) {
    System.out.println(port);
  }

  private static void netty(IoHandlerFactory factory, Class<? extends ServerChannel> type)
      throws InterruptedException {
    var group = new MultiThreadIoEventLoopGroup(1, factory);
    var channel =
        new ServerBootstrap()
            .group(group)
            .channel(type)
            .option(io.netty.channel.ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(io.netty.channel.ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    connection
                        .pipeline()
                        .addLast(
                            new ChannelInboundHandlerAdapter() {
                              @Override
                              public void channelRead(
                                  ChannelHandlerContext context, Object message) {
                                context.writeAndFlush(message, context.voidPromise());
                              }
                            });
                  }
                })
            .bind(loopback())
            .sync()
            .channel();
    tell(((InetSocketAddress) channel.localAddress()).getPort());
    channel.closeFuture().sync();
  }

  static void main(String[] args) throws Exception {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // which is silent
    Thread.ofPlatform().daemon().start(EchoServers::answer);
    valueOf(args[0]).serve();
  }

  /// Tells the process's processor time for each line of input; ends the process with it.
  private static void answer() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (var questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      while (questions.readLine() != null) {
        System.out.println(system.getProcessCpuTime());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }
}
