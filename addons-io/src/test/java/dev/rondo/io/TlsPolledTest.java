package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;

/// A TLS connection fails in the same way when it is polled, as by a select, and when it is read.
class TlsPolledTest {

  private static final String ONE = "one.test";

  private static TlsSocket server(World world, Pair beneath) throws Exception {
    return new TlsServer(world.scheduler(), Certificates.context(ONE)).over(beneath.server());
  }

  private static void awaitArrival(World world, ByteSource source) {
    var _ = world.scheduler().host().awaitEvent(source.readable());
  }

  private static void poll(World world, TlsSocket socket) throws IOException {
    var _ = world.scheduler().host().awaitEvent(socket.reading(ByteBuffer.allocate(10)));
  }

  @OnEveryBackend
  void reading_aPeerThatDoesNotSpeakTls_isItsFailure(IoRig rig) throws Exception {
    rig.run(world -> {
      for (String sent :
          new String[] {"GET / HTTP/1.1\r\n\r\n", "\26\3\1\0\5hello", "\0\0\0\0\0"}) {
        try (Pair beneath = world.pair();
            TlsSocket server = server(world, beneath)) {
          beneath.client().write(ByteBuffer.wrap(sent.getBytes(StandardCharsets.ISO_8859_1)));
          awaitArrival(world, beneath.server());
          assertThrows(SSLException.class, () -> server.tryRead(ByteBuffer.allocate(10)));
        }
        try (Pair beneath = world.pair();
            TlsSocket server = server(world, beneath)) {
          beneath.client().write(ByteBuffer.wrap(sent.getBytes(StandardCharsets.ISO_8859_1)));
          awaitArrival(world, beneath.server());
          assertThrows(SSLException.class, () -> poll(world, server));
        }
      }
    });
  }

  @OnEveryBackend
  void reading_garbage_failsAndTellsThePeerWhenItIsClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      try (Pair beneath = world.pair();
          TlsSocket server = server(world, beneath)) {
        TlsSocket client =
            new TlsClient(world.scheduler(), Certificates.context(null, ONE))
                .over(beneath.client(), ONE);
        Task<Void> negotiation = world.spawn("server", server::handshake);
        client.handshake();
        negotiation.join();
        beneath.server().write(ByteBuffer.wrap(new byte[] {23, 3, 3, 0, 5, 1, 2, 3, 4, 5}));
        awaitArrival(world, beneath.client());
        assertThrows(SSLException.class, () -> poll(world, client));
        client.close();
        assertThrows(SSLException.class, () -> server.read(ByteBuffer.allocate(10)));
      }
    });
  }

  /// The library returns each part of the handshake once.
  @OnEveryBackend
  void tryRead_twiceWithinTheHandshake_losesNoPartOfIt(IoRig rig) throws Exception {
    rig.run(world -> {
      try (Pair beneath = world.pair();
          TlsSocket server = server(world, beneath)) {
        TlsSocket client =
            new TlsClient(world.scheduler(), Certificates.context(null, ONE))
                .over(beneath.client(), ONE);
        Task<Void> negotiation = world.spawn("client", client::handshake);
        awaitArrival(world, beneath.server());
        assertEquals(0, server.tryRead(ByteBuffer.allocate(10)));
        assertEquals(0, server.tryRead(ByteBuffer.allocate(10)));
        Task<Void> other = world.spawn("server", server::handshake);
        world.scheduler().within(Duration.ofSeconds(1), other::join);
        negotiation.join();
        client.close();
      }
    });
  }
}
