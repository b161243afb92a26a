package dev.rondo.http.files.internal;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;

/// An open file of which a transport sends parts. It is closed when its task no longer needs it and
/// the transport has released all parts. A transport that used a closed descriptor could send
/// another file.
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

  /// To close a file that was only read does not wait for the disk.
  @Override
  protected void deallocate() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
