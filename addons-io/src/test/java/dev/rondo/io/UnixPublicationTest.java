package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.internal.lent.UnixNamespace;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A path has appeared, but its listener cannot be made.
@EveryBackend
final class UnixPublicationTest extends BackendTest {

  /// Closes a channel as soon as it has a path, so that no selector takes it.
  private static final class Closing extends SelectorProvider implements UnixNamespace {

    private final SelectorProvider system = SelectorProvider.provider();
    private final List<Path> paths = new ArrayList<>();

    @Override
    public Closeable bind(
        ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions, int backlog)
        throws IOException {
      paths.add(path);
      channel.close();
      return () -> paths.remove(path);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
      return system.openServerSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
      return system.openServerSocketChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
      return system.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
      return system.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
      return system.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
      return system.openSelector();
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
      return system.openSocketChannel();
    }
  }

  @Test
  void open_failsAfterThePathHasAppeared_pathIsRemoved() throws IOException {
    var provider = new Closing();
    try (Scheduler scheduler = builder().build()) {
      WaitForIO io = WaitForIO.on(scheduler, provider);
      var e = assertThrows(IOException.class, () -> UnixListener.open(io, Path.of("/store")));
      assertEquals("listen on /store", e.getMessage().replaceAll(":.*", ""));
    }
    assertEquals(List.of(), provider.paths);
  }
}
