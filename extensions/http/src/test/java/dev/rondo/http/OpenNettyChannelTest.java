package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What an onlooker sees of Netty's channels.
final class OpenNettyChannelTest extends Http2Rig {

  /// Which tasks wait for which channel.
  private Map<String, List<String>> seen() {
    var seen = new ArrayList<OpenChannel>();
    int end =
        LoopView.of(scheduler)
            .openChannels()
            .visit(0, 1_000, (place, channel) -> seen.add(channel));
    assertEquals(ChannelList.NONE, end);
    return seen.stream()
        .collect(
            Collectors.toMap(
                OpenChannel::name, OpenChannel::waits, (a, b) -> a, () -> new TreeMap<>()));
  }

  private static String text(SocketAddress address) {
    return "127.0.0.1:" + ((InetSocketAddress) address).getPort();
  }

  @Test
  void channels_areListedWithTheTasksThatWait_untilTheyAreClosed() {
    run(() -> {
      try (NettyListener listener = listen();
          NettyChannel client = connect(listener);
          NettyChannel server = listener.accept()) {
        Task<?> accepting = scheduler.spawn("accepting", listener::accept);
        Task<?> receiving = scheduler.spawn("receiving", () -> client.receive());
        Task<?> watching =
            scheduler.spawn(
                "watching", () -> scheduler.await(ChannelControl.of(client).receivable()));
        settle();
        String here = text(listener.localAddress());
        assertEquals(
            Map.of(
                "listener " + here,
                List.of("task 'accepting': accept on " + listener),
                "connection to " + here,
                List.of(
                    "task 'receiving': receive from " + client,
                    "task 'watching': messages from " + client),
                "connection of %s from %s".formatted(here, text(client.channel().localAddress())),
                List.of()),
            seen());
        for (Task<?> each : List.of(accepting, receiving, watching)) {
          each.cancel("the test is over");
        }
        settle();
        assertTrue(seen().values().stream().allMatch(List::isEmpty), () -> seen().toString());
        netty.await(server.channel().close());
        await(() -> seen().size() == 2);
      }
      await(() -> seen().isEmpty());
    });
  }

  @Test
  void channel_whosePeerDoesNotRead_showsTheTaskThatSends() {
    run(() -> {
      try (Pair pair = pair()) {
        Task<?> sending =
            scheduler.spawn(
                "sending",
                () -> {
                  while (true) {
                    pair.client().write(allocator.buffer().writeZero(1 << 20));
                    scheduler.await(pair.client().sendable());
                    pair.client().flush();
                  }
                });
        await(() -> seen().values().stream().anyMatch(each -> each.size() == 1));
        assertTrue(
            seen().containsValue(List.of("task 'sending': send to " + pair.client())),
            () -> seen().toString());
        sending.cancel("the test is over");
      }
    });
  }

  @Test
  void channel_ofALibrary_isListed() {
    run(() -> {
      try (NettyListener listener = listen()) {
        var channels = netty.bootstrap().config().channelFactory();
        var bootstrap =
            new Bootstrap()
                .group(netty.group())
                .channelFactory(channels::newChannel)
                .option(ChannelOption.ALLOCATOR, allocator)
                .handler(new ChannelInboundHandlerAdapter());
        var connected = bootstrap.connect(listener.localAddress());
        netty.await(connected);
        assertEquals(List.of(), seen().get("connection to " + text(listener.localAddress())));
        netty.await(connected.channel().close());
      }
    });
  }

  @Test
  void streams_ofHttp2_areNoChannelsOfTheSystem() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")));
          var client = new Http2Client(server)) {
        try (Http2Request request = client.get("/")) {
          assertEquals("200 hello", request.response());
          assertEquals(3, seen().size(), () -> seen().toString()); // the listener and both ends
        }
      }
    });
  }

  @Test
  void figures_countChannelsAndWaits() {
    run(() -> {
      try (NettyListener listener = listen()) {
        Task<?> accepting = scheduler.spawn("accepting", listener::accept);
        settle();
        AddOnInfo info =
            LoopView.of(scheduler).addOns().stream()
                .filter(each -> each.name().equals("WaitForNetty"))
                .findFirst()
                .orElseThrow();
        assertEquals("[netty.channels=1, netty.waits=1]", info.figures().toString());
        accepting.cancel("the test is over");
      }
    });
  }
}
