package dev.rondo.http.files.internal;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;

/// An open file of which a transport sends parts. It is closed when its task needs it no more, and
/// the transport has none of its parts: a transport that went on with a closed descriptor could
/// send another file.
public final class SharedFile extends AbstractReferenceCounted {

  private final FileChannel channel;

  public SharedFile(FileChannel channel) {
    this.channel = channel;
  }

  public FileChannel channel() {
    return channel;
  }

  /// {@return a part, which the transport releases}
  public FileRegion part(long from, long count) {
    var part = new Part(from, count);
    var _ = retain();
    return part;
  }

  private final class Part extends DefaultFileRegion {

    Part(long from, long count) {
      super(channel, from, count);
    }

    /// Leaves the file open.
    @Override
    protected void deallocate() {
      boolean _ = SharedFile.this.release();
    }
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }

  /// Closing a file that was only read waits for no disk.
  @Override
  protected void deallocate() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
