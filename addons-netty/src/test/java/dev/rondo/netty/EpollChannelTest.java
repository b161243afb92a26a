package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// [ChannelContract] on EPOLL.
final class EpollChannelTest extends ChannelContract {

  private static final int HEX = 16;
  private static final long EPOLLET = 1L << 31;

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL;
  }

  @Test
  void sockets_areEdgeTriggered() {
    run(() -> {
      try (var pair = pair()) {
        for (NettyChannel each : List.of(pair.client(), pair.server())) {
          assumeTrue(each.channel() instanceof UnixChannel, "not on this backend");
          assertTrue((events(each) & EPOLLET) != 0, each::toString);
        }
      }
    });
  }

  /// {@return what the system reports of a channel's socket, as `epoll_ctl` was told}
  private static long events(NettyChannel channel) throws IOException {
    int descriptor = ((UnixChannel) channel.channel()).fd().intValue();
    Pattern socket = Pattern.compile("tfd:\\s+%d events:\\s+(\\p{XDigit}+)".formatted(descriptor));
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fdinfo"))) {
      return all.map(each -> socket.matcher(read(each)))
          .filter(Matcher::find)
          .mapToLong(found -> Long.parseLong(found.group(1), HEX))
          .sum();
    }
  }

  private static String read(Path descriptor) {
    try {
      return Files.readString(descriptor);
    } catch (IOException e) {
      return ""; // it was closed
    }
  }
}
