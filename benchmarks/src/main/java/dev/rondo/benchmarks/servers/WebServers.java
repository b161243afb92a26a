package dev.rondo.benchmarks.servers;

import dev.rondo.application.Application;
import dev.rondo.io.Transport;
import dev.rondo.netty.NettyTransport;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/// The web servers that `WebLoad` compares, one to a process, each on one thread. All servers have
/// the JDK's TLS and send the same bodies. Rondo and bare Netty send a date, and the others their
/// default headers. All servers receive the texts of WebSockets as strings.
public enum WebServers {
  /// The server of `rondo-http`: one task per request, and one per WebSocket.
  RONDO {
    @Override
    void serve(WebJob job) {
      RondoWeb.serve(NettyTransport.EPOLL, job);
    }
  },

  RONDO_NIO {
    @Override
    void serve(WebJob job) {
      RondoWeb.serve(NettyTransport.NIO, job);
    }
  },

  RONDO_IO_URING {
    @Override
    void serve(WebJob job) {
      RondoWeb.serve(NettyTransport.IO_URING, job);
    }
  },

  /// Rondo's own sockets, on its own EPOLL transport, which its HTTP server does not have.
  RONDO_OWN_EPOLL {
    @Override
    public boolean does(WebJob job) {
      return job == WebJob.TCP;
    }

    @Override
    void serve(WebJob job) {
      RondoServer.serve(Transport.EPOLL, Application.builder(), EchoServers::echo);
    }
  },

  /// The limit: bare Netty, with handlers for its codecs that are written for this job alone.
  BARE {
    @Override
    void serve(WebJob job) throws Exception {
      NettyWeb.serve(job, EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }
  },

  BARE_NIO {
    @Override
    void serve(WebJob job) throws Exception {
      NettyWeb.serve(job, NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }
  },

  BARE_IO_URING {
    @Override
    void serve(WebJob job) throws Exception {
      NettyWeb.serve(job, IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class);
    }
  },

  /// One event loop, on epoll.
  VERTX {
    @Override
    void serve(WebJob job) throws Exception {
      VertxServer.serve(job);
    }
  },

  /// One virtual thread per connection or stream, on one carrier.
  HELIDON {
    @Override
    public boolean does(WebJob job) {
      return job != WebJob.TCP;
    }

    @Override
    void serve(WebJob job) throws Exception {
      HelidonWeb.serve(job);
    }
  },

  /// One selector, which also handles the requests; other threads are idle.
  JETTY {
    @Override
    public boolean does(WebJob job) {
      return job != WebJob.TCP;
    }

    @Override
    void serve(WebJob job) throws Exception {
      JettyServer.serve(job);
    }
  };

  abstract void serve(WebJob job) throws Exception;

  /// Whether this is a server for a job.
  public boolean does(WebJob job) {
    return true;
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions();
    valueOf(args[0]).serve(WebJob.valueOf(args[1]));
  }
}
