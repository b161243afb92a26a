package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Task;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A library that is built on Netty, on the scheduler's loop: Lettuce, which is given the loop as
/// its event loop, its executor and its timer. Its server is a small one of ours, which is there
/// always, and `redis-server` where that is installed.
final class LettuceTest extends NettyRig {

  private static final Path REDIS = Path.of("/usr/bin/redis-server");

  /// Code of a test.
  @FunctionalInterface
  private interface Code {
    void run(RedisClient client, InetSocketAddress address) throws Exception;
  }

  @TempDir Path folder;

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL.whyNot() == null ? NettyTransport.EPOLL : NettyTransport.NIO;
  }

  @BeforeAll
  static void chooseTransport() {
    LettuceOnTheLoop.chooseTransport(
        NettyTransport.EPOLL.whyNot() == null ? NettyTransport.EPOLL : NettyTransport.NIO);
  }

  private <T> T await(CompletionStage<T> stage) {
    return scheduler.await(scheduler.completion(stage.toCompletableFuture()));
  }

  private void withClient(InetSocketAddress address, Code code) throws Exception {
    ClientResources resources = LettuceOnTheLoop.resources(netty, allocator);
    RedisClient client = LettuceOnTheLoop.client(resources, address);
    try {
      code.run(client, address);
    } finally {
      var _ = await(client.shutdownAsync(0, 0, TimeUnit.SECONDS));
      var _ = netty.await(resources.shutdown(0, 0, TimeUnit.SECONDS));
    }
  }

  private void withOurs(Code code) {
    run(() -> {
      try (var server = new RedisInAPage(this)) {
        withClient(server.address(), code);
      }
    });
  }

  /// Runs code with Debian's server, if it is installed.
  private void withReal(Code code) throws Exception {
    assumeTrue(Files.isExecutable(REDIS), () -> REDIS + " is not installed");
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path log = folder.resolve("log");
    Process server =
        new ProcessBuilder(
                REDIS.toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                "" + port,
                "--save",
                "",
                "--dir",
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      run(() -> {
        await(() -> says(log, "Ready to accept connections"));
        withClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), code);
      });
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static boolean says(Path log, String text) {
    try {
      return Files.readString(log).contains(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // What is asked.

  private void commands(RedisClient client, InetSocketAddress address) throws Exception {
    StatefulRedisConnection<String, String> connection =
        await(client.connectAsync(StringCodec.UTF8, uri(address)));
    var commands = connection.async();
    assertEquals("PONG", await(commands.ping()));
    assertNull(await(commands.get("a")));
    assertEquals("OK", await(commands.set("a", "some \u00e4")));
    assertEquals("some \u00e4", await(commands.get("a")));
    assertThrows(
        RedisCommandExecutionException.class,
        () -> await(commands.eval("?", ScriptOutputType.INTEGER)));
    var tasks = new ArrayList<Task<Long>>();
    Set<Thread> threads = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      tasks.add(
          scheduler.spawn(
              "incr",
              () ->
                  await(
                      commands
                          .incr("n")
                          .whenComplete((value, failure) -> threads.add(Thread.currentThread())))));
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(i + 1L, tasks.get(i).join());
    }
    assertEquals(1, threads.size(), "all on the loop's thread");
    await(connection.closeAsync());
  }

  private static RedisURI uri(InetSocketAddress address) {
    return RedisURI.create(address.getAddress().getHostAddress(), address.getPort());
  }

  /// Messages become elements of a channel: a source that tasks receive from.
  private void subscription(RedisClient client, InetSocketAddress address) throws Exception {
    StatefulRedisPubSubConnection<String, String> listening =
        await(client.connectPubSubAsync(StringCodec.UTF8, uri(address)));
    StatefulRedisConnection<String, String> sending =
        await(client.connectAsync(StringCodec.UTF8, uri(address)));
    Channel<String> news = Channel.unbounded(scheduler);
    listening.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            boolean _ = news.trySend(message);
          }
        });
    await(listening.async().subscribe("news"));
    Task<List<String>> receiver =
        scheduler.spawn("receiver", () -> List.of(news.receive(), news.receive(), news.receive()));
    for (String each : List.of("one", "two", "three")) {
      assertEquals(1L, await(sending.async().publish("news", each)));
    }
    assertEquals(List.of("one", "two", "three"), receiver.join());
    assertEquals(0L, await(sending.async().publish("other", "x")));
    await(listening.closeAsync());
    await(sending.closeAsync());
  }

  @Test
  void commands_ofTasks_areAnsweredOnTheLoop() {
    withOurs(this::commands);
  }

  @Test
  void subscription_isASourceOfMessages() {
    withOurs(this::subscription);
  }

  @Test
  void commands_toARealServer_areAnsweredOnTheLoop() throws Exception {
    withReal(this::commands);
  }

  @Test
  void subscription_ofARealServer_isASourceOfMessages() throws Exception {
    withReal(this::subscription);
  }
}
