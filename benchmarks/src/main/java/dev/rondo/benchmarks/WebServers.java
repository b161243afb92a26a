package dev.rondo.benchmarks;

import dev.rondo.netty.NettyTransport;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/// The web servers that [WebLoad] compares, one to a process, each on one thread. All have the
/// JDK's TLS, and send the same bodies; those that send a date or their name by default also do so
/// here. The texts of WebSockets are strings to the code of all of them.
public enum WebServers {
  /// The server of `addons-netty`: one task per request, and one per WebSocket.
  RONDO {
    @Override
    void serve(WebJob job) {
      RondoWeb.serve(NettyTransport.EPOLL, job);
    }
  },

  RONDO_IO_URING {
    @Override
    void serve(WebJob job) {
      RondoWeb.serve(NettyTransport.IO_URING, job);
    }
  },

  /// The limit: handlers for Netty's codecs that are written for this job alone.
  NETTY {
    @Override
    void serve(WebJob job) throws Exception {
      NettyWeb.serve(job, EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }
  },

  NETTY_IO_URING {
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
    void serve(WebJob job) throws Exception {
      HelidonWeb.serve(job);
    }
  },

  /// One selector, which also handles the requests; other threads are idle.
  JETTY {
    @Override
    void serve(WebJob job) throws Exception {
      JettyServer.serve(job);
    }
  };

  abstract void serve(WebJob job) throws Exception;

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions();
    valueOf(args[0]).serve(WebJob.valueOf(args[1]));
  }
}
