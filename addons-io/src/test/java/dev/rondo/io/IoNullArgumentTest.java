package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.file.DirectoryListing;
import dev.rondo.io.file.DirectoryWatch;
import dev.rondo.io.file.FileInput;
import dev.rondo.io.file.FileOperation;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.NullArguments;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// A null argument is refused by the call that receives it, by name.
final class IoNullArgumentTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress(LOOPBACK, 0);

  @TempDir private Path directory;
  private int files;

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(WaitForIO.class, WaitForIO::on)
          .sample(WaitForName.class, WaitForName::on)
          .sample(SocketAddress.class, scheduler -> ANY_PORT)
          .sample(InetSocketAddress.class, scheduler -> ANY_PORT)
          .sample(InetAddress.class, scheduler -> LOOPBACK)
          .sample(NetworkInterface.class, scheduler -> NetworkInterface.getByInetAddress(LOOPBACK))
          .sample(SocketOption.class, scheduler -> StandardSocketOptions.SO_RCVBUF)
          .sample(SocketOptions.class, scheduler -> SocketOptions.NONE)
          .sample(SelectorProvider.class, scheduler -> SelectorProvider.provider())
          .sample(ByteBuffer.class, scheduler -> ByteBuffer.allocate(1))
          .sample(Charset.class, scheduler -> StandardCharsets.UTF_8)
          .sample(InputStream.class, scheduler -> InputStream.nullInputStream())
          .sample(OutputStream.class, scheduler -> OutputStream.nullOutputStream())
          .sample(Path.class, scheduler -> newPath())
          .sample(FileTime.class, scheduler -> FileTime.fromMillis(0))
          .opened(SelectableChannel.class, IoNullArgumentTest::channel)
          .opened(StreamSocket.class, IoNullArgumentTest::socket)
          .opened(TcpSocket.class, IoNullArgumentTest::socket)
          .opened(TcpListener.class, IoNullArgumentTest::listener)
          .opened(UdpSocket.class, scheduler -> UdpSocket.open(WaitForIO.on(scheduler), ANY_PORT))
          .opened(PipeSource.class, scheduler -> pipe(scheduler).source())
          .opened(PipeSink.class, scheduler -> pipe(scheduler).sink())
          .opened(ByteSource.class, scheduler -> pipe(scheduler).source())
          .opened(ByteSink.class, scheduler -> pipe(scheduler).sink())
          .opened(ByteStream.class, IoNullArgumentTest::socket)
          .opened(
              BlockingInput.class,
              scheduler ->
                  new BlockingInput(
                      scheduler, "input", new ByteArrayInputStream(new byte[] {'\n'})))
          .opened(
              BlockingOutput.class,
              scheduler -> new BlockingOutput(scheduler, "output", OutputStream.nullOutputStream()))
          .sample(DnsClient.class, scheduler -> new DnsClient(scheduler, List.of(ANY_PORT)))
          .sample(WaitForFile.class, WaitForFile::on)
          .sample(FileOperation.class, scheduler -> () -> "done")
          .opened(
              OpenFile.class,
              scheduler ->
                  WaitForFile.on(scheduler)
                      .open(newPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE))
          .opened(
              FileInput.class,
              scheduler ->
                  WaitForFile.on(scheduler)
                      .open(
                          newPath(),
                          StandardOpenOption.CREATE,
                          StandardOpenOption.READ,
                          StandardOpenOption.WRITE)
                      .input())
          .opened(DirectoryListing.class, scheduler -> WaitForFile.on(scheduler).list(directory))
          .opened(DirectoryWatch.class, scheduler -> WaitForFile.on(scheduler).watch(directory))
          .sample(WaitForProcess.class, WaitForProcess::on)
          .sample(ProcessBuilder.class, scheduler -> new ProcessBuilder("true"))
          .opened(
              ChildProcess.class,
              scheduler -> WaitForProcess.on(scheduler).start(new ProcessBuilder("true")))
          .sample(WaitForOsSignal.class, WaitForOsSignal::on)
          .opened(TaskTerminal.class, IoNullArgumentTest::terminal)
          .sample(SSLContext.class, scheduler -> context())
          .sample(TlsClient.class, scheduler -> new TlsClient(scheduler, context()))
          .sample(TlsServer.class, scheduler -> new TlsServer(scheduler, context()))
          .sample(
              TlsSocket.class,
              scheduler -> new TlsClient(scheduler, context()).over(socket(scheduler), "localhost"))
          .engineCalls(NameResolver.class, Transfer.class);

  private Path newPath() {
    return directory.resolve("file" + files++);
  }

  private static TcpListener listener(Scheduler scheduler) throws IOException {
    return WaitForIO.on(scheduler).listen(ANY_PORT);
  }

  /// A socket whose peer is gone.
  private static TcpSocket socket(Scheduler scheduler) throws IOException {
    try (TcpListener listener = listener(scheduler)) {
      return WaitForIO.on(scheduler).connect(listener.localAddress());
    }
  }

  private static OsPipe pipe(Scheduler scheduler) throws IOException {
    return OsPipe.open(WaitForIO.on(scheduler));
  }

  private static Pipe.SinkChannel channel(Scheduler scheduler) throws IOException {
    Pipe pipe = WaitForIO.on(scheduler).provider().openPipe();
    pipe.source().close();
    pipe.sink().configureBlocking(false);
    return pipe.sink();
  }

  private static TaskTerminal terminal(Scheduler scheduler) throws IOException {
    return TaskTerminal.open(
        scheduler, "dumb", InputStream.nullInputStream(), OutputStream.nullOutputStream());
  }

  private static SSLContext context() throws Exception {
    return Certificates.context("localhost", "localhost");
  }

  @Test
  void null_toSocketsAndStreams_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForIO.class));
  }

  @Test
  void null_toDns_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(DnsClient.class));
  }

  @Test
  void null_toFiles_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForFile.class));
  }

  @Test
  void null_toProcesses_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForProcess.class));
  }

  @Test
  void null_toTheSystem_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForOsSignal.class));
  }

  @Test
  void null_toTerminals_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(TaskTerminal.class));
  }

  @Test
  void null_toTls_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(TlsClient.class));
  }

  @OnEveryBackend
  @SuppressWarnings("NullAway")
  void null_toStreamsOfTheJdk_isRefusedByName(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair();
          var tls = new TlsServer(world.scheduler(), context()).over(pair.client());
          var blocking =
              new BlockingInput(world.scheduler(), "input", InputStream.nullInputStream())) {
        TcpSocket socket = pair.server();
        ByteStream joined = ByteStream.of(socket, socket, "itself");
        for (InputStream each :
            List.of(socket.input(), tls.input(), joined.input(), blocking.input())) {
          assertRefused("bytes", () -> each.read(null, 0, 1));
        }
        for (OutputStream each :
            List.of(
                socket.output(), tls.output(), joined.output(), socket.bufferedOutput(Byte.SIZE))) {
          assertRefused("bytes", () -> each.write(null, 0, 1));
        }
      }
    });
  }

  @OnEveryBackend
  @SuppressWarnings("NullAway")
  void nullHost_installsNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      assertRefused("host", () -> world.io().connect(null, 1));
      assertRefused("host", () -> new TlsClient(world.scheduler(), context()).connect(null, 1));
      assertNull(world.scheduler().host().addOn(WaitForName.class));
    });
  }

  private static void assertRefused(String name, Executable call) {
    assertEquals(name + " is null", assertThrows(NullPointerException.class, call).getMessage());
  }
}
