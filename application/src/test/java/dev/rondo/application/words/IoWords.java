package dev.rondo.application.words;

import dev.rondo.application.words.Word.Case;
import dev.rondo.application.words.Word.Opener;
import dev.rondo.io.BlockingInput;
import dev.rondo.io.BlockingOutput;
import dev.rondo.io.OsPipe;
import dev.rondo.io.TcpListener;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.WaitForName;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.system.WaitForOsSignal;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The words of IO.
final class IoWords {

  /// More bytes than the buffers of the system hold.
  private static final int LARGE_BYTES = 16 << 20;

  private static final int LIMIT_BYTES = 100;

  private final List<Word> words = new ArrayList<>();

  private IoWords() {
    reading();
    writing();
    connections();
    others();
    files();
  }

  static List<Word> all() {
    return new IoWords().words;
  }

  private void add(String text, Opener opener, String... methods) {
    words.add(new Word(text, opener, List.of(methods)));
  }

  private static ByteBuffer one() {
    return ByteBuffer.allocate(1);
  }

  private void reading() {
    add(
        "socket.read(buffer)",
        world -> {
          var socket = world.pair().server();
          return Case.of(() -> socket.read(one()))
              .closedBy(socket::close)
              .selectable("socket.reading(buffer)", socket.reading(one()));
        },
        "ByteSource.read(ByteBuffer)",
        "ByteSource.reading(ByteBuffer)",
        "StreamSocket.read(ByteBuffer)",
        "StreamSocket.reading(ByteBuffer)",
        "TlsSocket.read(ByteBuffer)",
        "TlsSocket.reading(ByteBuffer)");
    add(
        "socket.readFully(buffer)",
        world -> {
          var socket = world.pair().server();
          return Case.doing(() -> socket.readFully(one()))
              .closedBy(socket::close)
              .selectable("socket.readingFully(buffer)", socket.readingFully(one()));
        },
        "ByteSource.readFully(ByteBuffer)",
        "ByteSource.readingFully(ByteBuffer)",
        "StreamSocket.readFully(ByteBuffer)",
        "StreamSocket.readingFully(ByteBuffer)",
        "TlsSocket.readFully(ByteBuffer)",
        "TlsSocket.readingFully(ByteBuffer)");
    add(
        "socket.readLine(n)",
        world -> {
          var socket = world.pair().server();
          return Case.of(() -> socket.readLine(LIMIT_BYTES))
              .closedBy(socket::close)
              .selectable("socket.readingLine(n)", socket.readingLine(LIMIT_BYTES));
        },
        "ByteSource.readLine(int)",
        "ByteSource.readLine(int, Charset)",
        "ByteSource.readingLine(int)",
        "StreamSocket.readLine(int, Charset)",
        "StreamSocket.readingLine(int)",
        "TlsSocket.readLine(int, Charset)",
        "TlsSocket.readingLine(int)");
    add(
        "socket.readUntil(b, n)",
        world -> {
          var socket = world.pair().server();
          return Case.of(() -> socket.readUntil((byte) 0, LIMIT_BYTES)).closedBy(socket::close);
        },
        "ByteSource.readUntil(byte, int)",
        "StreamSocket.readUntil(byte, int)",
        "TlsSocket.readUntil(byte, int)");
    add(
        "app.await(socket.readable())",
        world -> {
          var socket = world.pair().server();
          return Case.of(() -> world.app().await(socket.readable()))
              .closedBy(socket::close)
              .selectable("socket.readable()", socket.readable());
        },
        "ByteSource.readable()",
        "StreamSocket.readable()",
        "TlsSocket.readable()",
        "PipeSource.readable()");
    add(
        "socket.input().read()",
        world -> {
          var socket = world.pair().server();
          var input = socket.input();
          return Case.of(input::read).closedBy(socket::close);
        });
    add(
        "pipe.source().read(buffer)",
        world -> {
          OsPipe pipe = world.own(OsPipe.open(world.app().io()));
          return Case.of(() -> pipe.source().read(one()))
              .closedBy(pipe::close)
              .selectable("pipe.source().reading(buffer)", pipe.source().reading(one()));
        },
        "PipeSource.read(ByteBuffer)",
        "PipeSource.readFully(ByteBuffer)",
        "PipeSource.readLine(int, Charset)",
        "PipeSource.readUntil(byte, int)",
        "PipeSource.reading(ByteBuffer)",
        "PipeSource.readingLine(int)",
        "PipeSource.readingFully(ByteBuffer)");
    add(
        "BlockingInput.read()",
        world -> {
          var input =
              new BlockingInput(
                  world.scheduler(), "input", new PipedInputStream(new PipedOutputStream()));
          world.own(input);
          return Case.of(input::read)
              .closedBy(input::close)
              .selectable("input.reading(buffer)", input.reading(one()));
        },
        "BlockingInput.read(ByteBuffer)",
        "BlockingInput.readFully(ByteBuffer)",
        "BlockingInput.readLine(int, Charset)",
        "BlockingInput.readUntil(byte, int)",
        "StandardStreams.readLine(int)",
        "BlockingInput.readable()",
        "BlockingInput.reading(ByteBuffer)",
        "BlockingInput.readingFully(ByteBuffer)",
        "BlockingInput.readingLine(int)",
        "BlockingInput.read()",
        "BlockingInput.read(byte[], int, int)");
  }

  private void writing() {
    add(
        "socket.write(buffer)",
        world -> {
          var socket = world.pair().server();
          return Case.of(() -> socket.write(ByteBuffer.allocate(LARGE_BYTES)))
              .closedBy(socket::close);
        },
        "ByteSink.write(ByteBuffer)",
        "ByteSink.write(String)",
        "StreamSocket.write(ByteBuffer)",
        "StreamSocket.send(Transfer, long)");
    add(
        "app.await(pipe.sink().writable())",
        world -> {
          OsPipe pipe = world.own(OsPipe.open(world.app().io()));
          var filling =
              world
                  .app()
                  .spawn("filling", () -> pipe.sink().write(ByteBuffer.allocate(LARGE_BYTES)));
          Parked.await(world.app(), filling);
          filling.cancel("full");
          Parked.settle(world.app(), filling);
          return Case.of(() -> world.app().await(pipe.sink().writable()))
              .closedBy(pipe::close)
              .selectable("pipe.sink().writable()", pipe.sink().writable());
        },
        "ByteSink.writable()",
        "StreamSocket.writable()",
        "TlsSocket.writable()",
        "PipeSink.writable()");
    add(
        "pipe.sink().write(buffer)",
        world -> {
          OsPipe pipe = world.own(OsPipe.open(world.app().io()));
          return Case.of(() -> pipe.sink().write(ByteBuffer.allocate(LARGE_BYTES)))
              .closedBy(pipe::close);
        },
        "PipeSink.write(ByteBuffer)");
    add(
        "BlockingOutput.write(bytes)",
        world -> {
          var gate = new CountDownLatch(1);
          world.atEnd(gate::countDown);
          var output = new BlockingOutput(world.scheduler(), "output", new Blocked(gate));
          return Case.doing(() -> output.write(new byte[1])).closedBy(output::abandon);
        },
        "BlockingOutput.writable()",
        "BlockingOutput.write(ByteBuffer)",
        "BlockingOutput.write(int)",
        "BlockingOutput.write(byte[], int, int)",
        "BlockingOutput.close()");
  }

  /// A stream that takes no bytes until a gate is open.
  private static final class Blocked extends OutputStream {

    private final CountDownLatch gate;

    Blocked(CountDownLatch gate) {
      this.gate = gate;
    }

    @Override
    public void write(int b) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void connections() {
    add(
        "listener.accept()",
        world -> {
          TcpListener listener = world.own(world.app().listen(0));
          return Case.of(listener::accept)
              .closedBy(listener::close)
              .selectable("listener.accepting()", listener.accepting());
        },
        "Listener.accept()",
        "Listener.accepting()");
    add(
        "app.connect(host, port)",
        world -> {
          int port = full(world);
          var event =
              world
                  .app()
                  .io()
                  .connecting(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          return Case.of(() -> world.app().connect("127.0.0.1", port))
              .selectable("io.connecting(address)", event);
        },
        "Application.connect(String, int)",
        "Rondo.connect(String, int)",
        "WaitForIO.connecting(SocketAddress)",
        "WaitForIO.connect(SocketAddress)",
        "WaitForIO.connect(SocketAddress, SocketOptions)",
        "WaitForIO.connect(String, int)",
        "UnixSocket.connect(WaitForIO, Path)");
    add(
        "app.await(io.readable(channel))",
        world -> {
          var pair = java.nio.channels.Pipe.open();
          world.own(pair.sink());
          world.own(pair.source());
          pair.source().configureBlocking(false);
          WaitForIO io = world.app().io();
          return Case.of(() -> world.app().await(io.readable(pair.source())))
              .closedBy(() -> io.close(pair.source()))
              .selectable("io.readable(channel)", io.readable(pair.source()));
        },
        "WaitForIO.readable(SelectableChannel)",
        "WaitForIO.writable(SelectableChannel)",
        "WaitForIO.acceptable(SelectableChannel)",
        "WaitForIO.connectable(SelectableChannel)");
    add(
        "udp.receive(buffer)",
        world -> {
          UdpSocket udp =
              world.own(
                  UdpSocket.open(
                      world.app().io(),
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
          return Case.of(() -> udp.receive(one()))
              .closedBy(udp::close)
              .selectable("udp.receiving(buffer)", udp.receiving(one()));
        },
        "UdpSocket.receive(ByteBuffer)",
        "UdpSocket.receiving(ByteBuffer)");
  }

  /// {@return the port of a listener that takes no more connections}
  private static int full(World world) throws Exception {
    var listener = world.own(ServerSocketChannel.open());
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    var address = (InetSocketAddress) listener.getLocalAddress();
    for (int i = 0; i < 4; i++) {
      SocketChannel waiting = world.own(SocketChannel.open());
      waiting.configureBlocking(false);
      waiting.connect(address);
    }
    return address.getPort();
  }

  private void others() {
    add(
        "process.awaitExit()",
        world -> {
          var process =
              WaitForProcess.on(world.scheduler()).start(new ProcessBuilder("sleep", "1000"));
          world.atEnd(process::kill);
          return Case.of(process::awaitExit).selectable("process.exit()", process.exit());
        },
        "ChildProcess.awaitExit()",
        "ChildProcess.exit()");
    add(
        "signalWatch.await()",
        world -> {
          var watch = world.own(WaitForOsSignal.on(world.scheduler()).listen("USR2"));
          return Case.of(watch::await)
              .closedBy(watch::close)
              .selectable("signalWatch.raising()", watch.raising());
        },
        "SignalWatch.await()",
        "SignalWatch.raising()");
    add(
        "names.resolve(host)",
        world -> {
          WaitForName names = WaitForName.on(world.scheduler());
          var gate = new CountDownLatch(1);
          world.atEnd(gate::countDown);
          names.resolver(new SilentResolver(gate));
          return Case.of(() -> names.resolve("a.invalid"));
        },
        "WaitForName.resolve(String)",
        "WaitForName.resolve(String, AddressFamily)",
        "WaitForName.reverse(InetAddress)");
  }

  private record SilentResolver(CountDownLatch gate) implements dev.rondo.io.NameResolver {

    @Override
    public List<InetAddress> addresses(String host) {
      return List.of(loopback());
    }

    @Override
    public String name(InetAddress address) {
      return loopback().getHostName();
    }

    private InetAddress loopback() {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return InetAddress.getLoopbackAddress();
    }
  }

  private void files() {
    add(
        "directoryWatch.await()",
        world -> {
          Path directory = Files.createTempDirectory("rondo-words");
          world.atEnd(() -> Files.delete(directory));
          var watch = world.own(WaitForFile.on(world.scheduler()).watch(directory));
          return Case.of(watch::await)
              .closedFor(task -> {
                watch.close(); // the thread of the watch has to see the close
                world.app().waitFor(task::isDone);
              })
              .selectable("directoryWatch.changing()", watch.changing());
        },
        "DirectoryWatch.changing()",
        "DirectoryWatch.await()");
    add(
        "files.readAll(path)",
        world -> {
          Path fifo = Files.createTempDirectory("rondo-words").resolve("fifo");
          world.atEnd(() -> Files.delete(fifo.getParent()));
          world.atEnd(() -> Files.delete(fifo));
          WaitForProcess.on(world.scheduler())
              .start(new ProcessBuilder("mkfifo", fifo.toString()))
              .awaitExit();
          return Case.of(() -> WaitForFile.on(world.scheduler()).readAll(fifo))
              .begunAfter(() -> world.own(writerOf(world, fifo)));
        },
        OF_FILES);
  }

  /// Returns when a reader has opened it.
  private static FileOutputStream writerOf(World world, Path fifo) throws Exception {
    return world.app().blocking(() -> new FileOutputStream(fifo.toFile()));
  }

  /// They wait for a thread that has begun, and cannot be left.
  private static final String[] OF_FILES = {
    "DirectoryListing.close()",
    "DirectoryListing.next()",
    "DirectoryWatch.close()",
    "FileInput.close()",
    "FileInput.read()",
    "FileInput.read(byte[], int, int)",
    "FileInput.readLine(int)",
    "OpenFile.close()",
    "OpenFile.position()",
    "OpenFile.position(long)",
    "OpenFile.read(ByteBuffer)",
    "OpenFile.read(ByteBuffer, long)",
    "OpenFile.size()",
    "OpenFile.sync()",
    "OpenFile.syncData()",
    "OpenFile.transferTo(long, long, StreamSocket)",
    "OpenFile.truncate(long)",
    "OpenFile.write(ByteBuffer)",
    "OpenFile.write(ByteBuffer, long)",
    "WaitForFile.attributes(Path, LinkOption[])",
    "WaitForFile.copy(Path, Path, CopyOption[])",
    "WaitForFile.createDirectories(Path)",
    "WaitForFile.delete(Path)",
    "WaitForFile.list(Path)",
    "WaitForFile.move(Path, Path, CopyOption[])",
    "WaitForFile.open(Path, OpenOption[])",
    "WaitForFile.readAll(Path)",
    "WaitForFile.run(String, Path, FileOperation)",
    "WaitForFile.watch(Path)",
    "WaitForFile.writeAll(Path, byte[], OpenOption[])"
  };
}
