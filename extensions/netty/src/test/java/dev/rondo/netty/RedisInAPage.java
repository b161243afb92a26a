package dev.rondo.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The few commands of Redis that the tests need, by Netty's codec, in a task for each connection.
final class RedisInAPage implements AutoCloseable {

  private static final int MOST_WORDS = 100;

  private final NettyRig rig;
  private final NettyListener listener;
  private final List<NettyChannel> connections = new ArrayList<>();
  private final Map<String, String> values = new HashMap<>();

  /// Which connection listens to which channel.
  private final Map<NettyChannel, String> subscribers = new LinkedHashMap<>();

  RedisInAPage(NettyRig rig) throws IOException {
    this.rig = rig;
    this.listener =
        rig.listen(made ->
            made.pipeline()
                .addLast(
                    new RedisDecoder(),
                    new RedisBulkStringAggregator(),
                    new RedisArrayAggregator(MOST_WORDS, 2),
                    new RedisEncoder()));
    var _ = rig.scheduler.spawn("redis", this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  private void accept() {
    try {
      while (true) {
        NettyChannel connection = listener.accept();
        connections.add(connection);
        var _ = rig.scheduler.spawn("redis connection", () -> serve(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(NettyChannel connection) {
    try (connection) {
      for (ArrayRedisMessage each; (each = connection.receive(ArrayRedisMessage.class)) != null; ) {
        var words = new ArrayList<String>();
        for (RedisMessage word : each.children()) {
          words.add(((FullBulkStringRedisMessage) word).content().toString(StandardCharsets.UTF_8));
        }
        each.release();
        connection.send(answer(connection, words));
      }
    } catch (IOException e) {
      // the client has gone
    } finally {
      var _ = subscribers.remove(connection);
    }
  }

  private RedisMessage answer(NettyChannel connection, List<String> words) throws IOException {
    return switch (words.getFirst().toUpperCase(Locale.ROOT)) {
      case "PING" -> new SimpleStringRedisMessage("PONG");
      case "CLIENT" -> new SimpleStringRedisMessage("OK");
      case "SET" -> {
        var _ = values.put(words.get(1), words.get(2));
        yield new SimpleStringRedisMessage("OK");
      }
      case "GET" -> bulk(values.get(words.get(1)));
      case "INCR" -> {
        long next = Long.parseLong(values.getOrDefault(words.get(1), "0")) + 1;
        var _ = values.put(words.get(1), "" + next);
        yield new IntegerRedisMessage(next);
      }
      case "SUBSCRIBE" -> {
        var _ = subscribers.put(connection, words.get(1));
        yield new ArrayRedisMessage(
            List.of(bulk("subscribe"), bulk(words.get(1)), new IntegerRedisMessage(1)));
      }
      case "PUBLISH" -> new IntegerRedisMessage(publish(words.get(1), words.get(2)));
      default -> new ErrorRedisMessage("ERR unknown command '" + words.getFirst() + "'");
    };
  }

  private int publish(String to, String text) throws IOException {
    int count = 0;
    for (Map.Entry<NettyChannel, String> each : Map.copyOf(subscribers).entrySet()) {
      if (each.getValue().equals(to)) {
        each.getKey().send(new ArrayRedisMessage(List.of(bulk("message"), bulk(to), bulk(text))));
        count++;
      }
    }
    return count;
  }

  private RedisMessage bulk(String text) {
    if (text == null) {
      return FullBulkStringRedisMessage.NULL_INSTANCE;
    }
    ByteBuf bytes = rig.bytes(text);
    return new FullBulkStringRedisMessage(bytes);
  }

  @Override
  public void close() {
    listener.close();
    connections.forEach(NettyChannel::close);
  }
}
