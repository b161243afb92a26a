package dev.rondo.benchmarks.servers;

/// The servers that `LoopsLoad` compares, one to a process: on one loop and on two, all on EPOLL.
public enum LoopsServers {
  RONDO_ECHO_ON_ONE {
    @Override
    void serve() {
      RondoServer.serveOnLoops(1, EchoServers::echo);
    }
  },

  RONDO_ECHO_ON_TWO {
    @Override
    void serve() {
      RondoServer.serveOnLoops(2, EchoServers::echo);
    }
  },

  NETTY_ECHO_ON_ONE {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnLoops(1, EchoServers::echo);
    }
  },

  NETTY_ECHO_ON_TWO {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnLoops(2, EchoServers::echo);
    }
  },

  RONDO_HTTP_ON_ONE {
    @Override
    void serve() {
      RondoServer.serveOnLoops(1, HttpServers::respond);
    }
  },

  RONDO_HTTP_ON_TWO {
    @Override
    void serve() {
      RondoServer.serveOnLoops(2, HttpServers::respond);
    }
  },

  NETTY_HTTP_ON_ONE {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnLoops(1, HttpServers::handle);
    }
  },

  NETTY_HTTP_ON_TWO {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnLoops(2, HttpServers::handle);
    }
  };

  abstract void serve() throws Exception;

  public boolean isEcho() {
    return name().contains("ECHO");
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions();
    valueOf(args[0]).serve();
  }
}
