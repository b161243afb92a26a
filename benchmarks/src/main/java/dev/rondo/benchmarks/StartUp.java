package dev.rondo.benchmarks;

import com.google.common.base.Splitter;
import dev.rondo.application.Application;
import dev.rondo.benchmarks.load.Exchange;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.http.server.HttpServer;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The time from the start of a Java virtual machine until the first task runs, or until a server
/// has answered its first request. It is measured from outside, up to the first line of output, or
/// to the end of the answer. Each program also runs with a cache of the JVM, made by a run before.
///
/// Nearly all of it is the machine's own start, as `bare` shows, and the loading of Rondo's classes
/// and of the JDK classes that they need. The row with Logback includes the start of Logback, which
/// takes more than all the rest. BOUND also loads virtual threads.
public final class StartUp {

  private static final int ROUNDS = 10;
  private static final String BEGUN = "begun";
  private static final String PLAIN_TEXT = "text/plain";
  private static final byte[] HELLO = "Hello, world".getBytes(StandardCharsets.US_ASCII);

  private StartUp() {}

  /// The program that is started.
  private enum Program {
    bare {
      @Override
      void run() {
        begun();
      }
    },
    rondo {
      @Override
      void run() {
        try (var scheduler = Scheduler.create()) {
          scheduler.spawn(StartUp::begun);
          scheduler.start();
        }
      }
    },
    rondoBound {
      @Override
      void run() {
        try (var scheduler = Scheduler.builder().backend(CoroutineBackends.bound()).build()) {
          scheduler.spawn(StartUp::begun);
          scheduler.start();
        }
      }
    },
    rondoApplication {
      @Override
      void run() {
        Application.run(app -> begun());
      }
    },
    rondoApplicationWithLogback {
      @Override
      void run() throws InterruptedException {
        rondoApplication.run();
      }

      @Override
      List<String> flags() {
        return List.of();
      }
    },
    kotlinx {
      @Override
      void run() {
        CoroutinePeers.first(StartUp::begun);
      }
    },
    virtualThread {
      @Override
      void run() throws InterruptedException {
        Thread.startVirtualThread(StartUp::begun).join();
      }
    },
    rondoHttp {
      @Override
      void run() {
        Application.run(app -> {
          try (HttpServer server =
              HttpServer.builder(app.scheduler())
                  .get("/", exchange -> exchange.respond(HttpResponseStatus.OK, PLAIN_TEXT, HELLO))
                  .listen(loopback())) {
            listens(server.localAddress());
            app.await(app.shutdownRequested());
          }
        });
      }
    },
    nettyHttp {
      @Override
      void run() throws InterruptedException {
        var channel =
            new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                .channel(EpollServerSocketChannel.class)
                .childHandler(new Hello())
                .bind(loopback())
                .sync()
                .channel();
        listens(channel.localAddress());
        channel.closeFuture().sync();
      }
    };

    abstract void run() throws InterruptedException;

    /// A program with a logging library has the cost of its start, with Rondo and without.
    List<String> flags() {
      return List.of("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    }
  }

  /// The least server of Netty's that answers.
  private static final class Hello extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel connection) {
      connection
          .pipeline()
          .addLast(
              new HttpServerCodec(),
              new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                  if (message instanceof HttpRequest) {
                    var response =
                        new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            Unpooled.wrappedBuffer(HELLO));
                    response
                        .headers()
                        .set(HttpHeaderNames.CONTENT_TYPE, PLAIN_TEXT)
                        .setInt(HttpHeaderNames.CONTENT_LENGTH, HELLO.length);
                    context.writeAndFlush(response, context.voidPromise());
                  }
                  ReferenceCountUtil.release(message);
                }
              });
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static void begun() {
    System.out.println(BEGUN);
  }

  private static void listens(SocketAddress address) {
    System.out.println(((InetSocketAddress) address).getPort());
  }

  static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0) {
      Program.valueOf(args[0]).run();
      return;
    }
    Path folder = Files.createTempDirectory("startup");
    try {
      measure(folder);
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(folder);
    }
  }

  private static void measure(Path folder) throws IOException, InterruptedException {
    String classPath = classPath(folder);
    for (Program program : Program.values()) {
      long _ = start(program, classPath, "-XX:AOTCacheOutput=" + cache(folder, program));
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (Program program : Program.values()) {
        long nanos = start(program, classPath, "-Xshare:auto");
        long cachedNanos = start(program, classPath, "-XX:AOTCache=" + cache(folder, program));
        if (i > 0) { // the first run fills the file cache
          Sample.print("start up", "", program.name(), "ms", nanos / 1e6);
          Sample.print("start up", "with a cache", program.name(), "ms", cachedNanos / 1e6);
        }
      }
    }
  }

  private static Path cache(Path folder, Program program) {
    return folder.resolve(program + ".aot");
  }

  /// {@return the class path, with a jar for each folder, because the JVM caches only classes of
  /// jars}
  private static String classPath(Path folder) {
    List<String> entries = new ArrayList<>();
    for (String each :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      if (Files.isDirectory(Path.of(each))) {
        String jar = folder.resolve(entries.size() + ".jar").toString();
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "--create", "--file", jar, "-C", each, ".");
        entries.add(jar);
      } else {
        entries.add(each);
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static long start(Program program, String classPath, String flag)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(program.flags());
    command.addAll(List.of(flag, "-cp", classPath, StartUp.class.getName(), program.name()));
    long before = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      if (line == null) {
        throw new IOException(program + " said nothing");
      }
      if (!line.equals(BEGUN)) {
        var _ = Exchange.http(Integer.parseInt(line), HELLO);
      }
      long nanos = System.nanoTime() - before;
      if (!line.equals(BEGUN)) {
        process.destroy(); // a server, which ends in an orderly way
      }
      process.waitFor();
      return nanos;
    }
  }
}
