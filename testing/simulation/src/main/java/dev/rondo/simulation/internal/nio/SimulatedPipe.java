package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.Buffers;
import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.PipeBuffer;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;

/// A pipe of a simulated host.
final class SimulatedPipe extends Pipe {

  private final Host host;
  private final Source source;
  private final Sink sink;

  SimulatedPipe(SelectorProvider provider, Host host) throws IOException {
    this.host = host;
    var buffer = new PipeBuffer();
    this.source = new Source(provider, buffer.source());
    try {
      this.sink = new Sink(provider, buffer.sink());
    } catch (IOException e) {
      source.close();
      throw e;
    }
  }

  @Override
  public SourceChannel source() {
    return source;
  }

  @Override
  public SinkChannel sink() {
    return sink;
  }

  private final class Source extends SourceChannel implements Selectable {

    private final PipeBuffer.Source end;
    private final Descriptors descriptor;

    Source(SelectorProvider provider, PipeBuffer.Source end) throws IOException {
      super(provider);
      this.end = end;
      this.descriptor = Descriptors.open(host, this, 1);
    }

    private void enter() throws ClosedChannelException {
      requireOpen();
      host.network().enter();
    }

    @Override
    public void waitBegins() {
      begin();
    }

    @Override
    public void waitEnds() throws AsynchronousCloseException {
      end(isOpen());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (target.isReadOnly()) {
        throw new IllegalArgumentException("Read-only buffer");
      }
      enter();
      if (isBlocking() && target.hasRemaining()) {
        await(host, end::isReadable, Timeline.NEVER, "Read");
      }
      return end.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
      return read(targets, 0, targets.length);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      enter();
      return Buffers.scatter(targets, offset, length, this::read, end::read);
    }

    @Override
    public Endpoint endpoint() {
      return end;
    }

    @Override
    public int ready(int bits, int interest) {
      boolean ready = Selectable.concernsAll(bits) || (bits & Endpoint.IN) != 0;
      return ready ? interest & SelectionKey.OP_READ : 0;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    public String toString() {
      return "source of a pipe";
    }

    @Override
    protected void implCloseSelectableChannel() {
      host.network().enter();
      if (!isRegistered()) {
        kill();
      }
    }

    @Override
    public void kill() {
      if (descriptor.close()) {
        end.close();
      }
    }
  }

  private final class Sink extends SinkChannel implements Selectable {

    private final PipeBuffer.Sink end;
    private final Descriptors descriptor;

    Sink(SelectorProvider provider, PipeBuffer.Sink end) throws IOException {
      super(provider);
      this.end = end;
      this.descriptor = Descriptors.open(host, this, 1);
    }

    private void enter() throws ClosedChannelException {
      requireOpen();
      host.network().enter();
    }

    @Override
    public void waitBegins() {
      begin();
    }

    @Override
    public void waitEnds() throws AsynchronousCloseException {
      end(isOpen());
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      enter();
      int count = end.write(from);
      while (isBlocking() && from.hasRemaining()) {
        await(host, end::hasRoom, Timeline.NEVER, "Write");
        count += end.write(from);
      }
      return count;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
      return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      enter();
      return Buffers.gather(sources, offset, length, this::write);
    }

    @Override
    public Endpoint endpoint() {
      return end;
    }

    @Override
    public int ready(int bits, int interest) {
      boolean ready = Selectable.concernsAll(bits) || (bits & Endpoint.OUT) != 0;
      return ready ? interest & SelectionKey.OP_WRITE : 0;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    public String toString() {
      return "sink of a pipe";
    }

    @Override
    protected void implCloseSelectableChannel() {
      host.network().enter();
      if (!isRegistered()) {
        kill();
      }
    }

    @Override
    public void kill() {
      if (descriptor.close()) {
        end.close();
      }
    }
  }
}
