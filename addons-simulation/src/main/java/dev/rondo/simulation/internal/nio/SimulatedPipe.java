package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.PipeBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

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
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
      host.network().enter();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (target.isReadOnly()) {
        throw new IllegalArgumentException("Read-only buffer");
      }
      enter();
      if (isBlocking() && target.hasRemaining()) {
        try {
          begin();
          enter();
          host.network().await(end::isReadable, () -> "read from a pipe");
        } finally {
          end(isOpen());
        }
      }
      return end.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
      return read(targets, 0, targets.length);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, targets.length);
      enter();
      long total = 0;
      for (int i = offset; i < offset + length; i++) {
        int count = total == 0 ? read(targets[i]) : end.read(targets[i]);
        if (count < 0) {
          return total == 0 ? -1 : total;
        }
        total += count;
        if (targets[i].hasRemaining()) {
          break;
        }
      }
      return total;
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
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
      host.network().enter();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      enter();
      int count = end.write(from);
      while (isBlocking() && from.hasRemaining()) {
        try {
          begin();
          enter();
          host.network().await(end::hasRoom, () -> "write to a pipe");
        } finally {
          end(isOpen());
        }
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
      Objects.checkFromIndexSize(offset, length, sources.length);
      enter();
      long total = 0;
      for (int i = offset; i < offset + length; i++) {
        total += write(sources[i]);
        if (sources[i].hasRemaining()) {
          break;
        }
      }
      return total;
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
