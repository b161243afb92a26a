package com.acme.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Channels whose operations do not wait.
public final class AsyncChannels {

  private static final int PORT = 7;
  private static final int BYTES = 20_000;

  private AsyncChannels() {}

  /// Tells what happens, as text.
  private record Telling<T>(BlockingQueue<String> to) implements CompletionHandler<T, String> {

    @Override
    public void completed(T result, String what) {
      to.add(what + " " + result + " " + Thread.currentThread().getName());
    }

    @Override
    public void failed(Throwable failure, String what) {
      to.add(what + " " + failure.getClass().getSimpleName());
    }
  }

  /// Echoes what each client sends, until the process ends.
  public static void serve() throws IOException {
    AsynchronousServerSocketChannel listener =
        AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(PORT));
    listener.accept(
        null,
        new CompletionHandler<AsynchronousSocketChannel, Void>() {
          @Override
          public void completed(AsynchronousSocketChannel client, Void none) {
            listener.accept(null, this);
            echo(client, ByteBuffer.allocate(8));
          }

          @Override
          public void failed(Throwable failure, Void none) {
            throw new IllegalStateException(failure);
          }
        });
  }

  private static void echo(AsynchronousSocketChannel client, ByteBuffer bytes) {
    client.read(
        bytes,
        null,
        new CompletionHandler<Integer, Void>() {
          @Override
          public void completed(Integer count, Void none) {
            if (count < 0) {
              return;
            }
            bytes.flip();
            client.write(
                bytes,
                null,
                new CompletionHandler<Integer, Void>() {
                  @Override
                  public void completed(Integer written, Void none) {
                    bytes.compact();
                    echo(client, bytes);
                  }

                  @Override
                  public void failed(Throwable failure, Void none) {
                    throw new IllegalStateException(failure);
                  }
                });
          }

          @Override
          public void failed(Throwable failure, Void none) {
            // the client has gone
          }
        });
  }

  /// {@return what a client of [#serve] is told}
  ///
  /// @param host that serves
  public static List<String> use(String host) throws Exception {
    var told = new LinkedBlockingQueue<String>();
    var all = new ArrayList<String>();
    AsynchronousChannelGroup group =
        AsynchronousChannelGroup.withFixedThreadPool(1, code -> new Thread(code, "ours"));
    try (var client = AsynchronousSocketChannel.open(group)) {
      all.add(failure(() -> client.read(ByteBuffer.allocate(1))));
      client.connect(new InetSocketAddress(host, PORT)).get();
      Future<Integer> written =
          client.write(ByteBuffer.wrap("a text of some bytes".getBytes(UTF_8)));
      var bytes = ByteBuffer.allocate(20);
      while (bytes.hasRemaining()) {
        int _ = client.read(bytes).get(1, TimeUnit.MINUTES);
      }
      all.add(written.get() + " " + new String(bytes.array(), UTF_8));
      client.read(bytes.clear(), "later", new Telling<>(told));
      all.add(failure(() -> client.read(ByteBuffer.allocate(1))));
      client.write(ByteBuffer.wrap(new byte[4])).get();
      all.add(told.take());
      long begin = System.currentTimeMillis();
      client.read(bytes.clear(), 5, TimeUnit.SECONDS, "limited", new Telling<>(told));
      all.add(told.take() + " after " + (System.currentTimeMillis() - begin));
      all.add(failure(() -> client.read(ByteBuffer.allocate(1))));
    }
    try (var client = AsynchronousSocketChannel.open(group)) {
      client.connect(new InetSocketAddress(host, 8), "refused", new Telling<>(told));
      all.add(told.take());
    }
    try (var client = AsynchronousSocketChannel.open(group)) {
      client.connect(new InetSocketAddress(host, PORT)).get();
      client.read(ByteBuffer.allocate(1), "closed", new Telling<>(told));
      group.shutdownNow();
      all.add(told.take());
      all.add("ends " + group.awaitTermination(1, TimeUnit.MINUTES));
      all.add(failure(() -> AsynchronousSocketChannel.open(group)));
    }
    return all;
  }

  private interface Code {
    void run() throws IOException;
  }

  private static String failure(Code code) throws IOException {
    try {
      code.run();
      return "none";
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName();
    }
  }

  /// {@return how many bytes a program reads of a file, one after the other, each by the handler of
  /// the one before}
  public static int file() throws IOException, InterruptedException, ExecutionException {
    Path path = Files.write(Path.of("/file"), new byte[BYTES]);
    var count = new CompletableFuture<Integer>();
    try (var file = AsynchronousFileChannel.open(path)) {
      file.read(
          ByteBuffer.allocate(1),
          0,
          1,
          new CompletionHandler<Integer, Integer>() {
            @Override
            public void completed(Integer read, Integer at) {
              if (read < 0) {
                count.complete(at - 1);
              } else {
                file.read(ByteBuffer.allocate(1), at, at + 1, this);
              }
            }

            @Override
            public void failed(Throwable failure, Integer at) {
              count.completeExceptionally(failure);
            }
          });
      return count.get();
    }
  }

  /// {@return the name of the thread that a program has for the handlers of a file}
  public static String handler() throws IOException, InterruptedException {
    Path path = Files.createFile(Path.of("/file"));
    var told = new LinkedBlockingQueue<String>();
    var pool = Executors.newSingleThreadExecutor(code -> new Thread(code, "ours"));
    try (var file = AsynchronousFileChannel.open(path, Set.of(), pool)) {
      file.read(ByteBuffer.allocate(1), 0, "end", new Telling<>(told));
      return told.take();
    } finally {
      pool.shutdown();
    }
  }

  /// {@return what a client reads from a listener whose group was shut down while it accepted}
  public static int acceptedTooLate() throws IOException {
    AsynchronousChannelGroup group = AsynchronousChannelGroup.withFixedThreadPool(1, Thread::new);
    try (var listener = AsynchronousServerSocketChannel.open(group)) {
      listener.bind(new InetSocketAddress(PORT));
      Future<AsynchronousSocketChannel> _ = listener.accept();
      group.shutdown();
      try (var client = new Socket(InetAddress.getLocalHost(), PORT)) {
        return client.getInputStream().read();
      }
    }
  }
}
