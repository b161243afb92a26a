package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.List;

/// The locked regions of a file. All locks of a host are its one process's, so that a second one
/// fails and never waits.
final class FileLocks {

  private final List<Region> held = new ArrayList<>();

  FileLock lock(FileChannel channel, long position, long size, boolean shared) {
    for (Region each : held) {
      if (each.overlaps(position, size)) {
        throw new OverlappingFileLockException();
      }
    }
    var region = new Region(channel, position, size, shared);
    held.add(region);
    return region;
  }

  void release(FileChannel channel) {
    held.removeIf(each -> each.acquiredBy() == channel);
  }

  private final class Region extends FileLock {

    private boolean released;

    Region(FileChannel channel, long position, long size, boolean shared) {
      super(channel, position, size, shared);
    }

    @Override
    public boolean isValid() {
      return !released && acquiredBy().isOpen();
    }

    @Override
    public void release() throws IOException {
      if (!acquiredBy().isOpen()) {
        throw new ClosedChannelException();
      }
      released = true;
      held.remove(this);
    }
  }
}
