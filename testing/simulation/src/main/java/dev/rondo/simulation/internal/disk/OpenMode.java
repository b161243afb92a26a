package dev.rondo.simulation.internal.disk;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/// How a file is opened: what the JDK makes of the options on Linux.
record OpenMode(
    boolean read,
    boolean write,
    boolean append,
    boolean truncate,
    boolean create,
    boolean createNew,
    boolean follow,
    boolean deleteOnClose,
    boolean sync) {

  static OpenMode of(Set<? extends OpenOption> options) {
    for (OpenOption each : options) {
      Objects.requireNonNull(each);
      if (!(each instanceof StandardOpenOption) && each != LinkOption.NOFOLLOW_LINKS) {
        throw new UnsupportedOperationException(each + " not supported");
      }
    }
    boolean append = options.contains(StandardOpenOption.APPEND);
    boolean write = options.contains(StandardOpenOption.WRITE) || append;
    boolean read = options.contains(StandardOpenOption.READ) || !write;
    boolean truncate = options.contains(StandardOpenOption.TRUNCATE_EXISTING);
    if (read && append) {
      throw new IllegalArgumentException("READ + APPEND not allowed");
    }
    if (append && truncate) {
      throw new IllegalArgumentException("APPEND + TRUNCATE_EXISTING not allowed");
    }
    boolean createNew = write && options.contains(StandardOpenOption.CREATE_NEW);
    boolean deleteOnClose = options.contains(StandardOpenOption.DELETE_ON_CLOSE);
    return new OpenMode(
        read,
        write,
        append,
        write && truncate,
        write && options.contains(StandardOpenOption.CREATE),
        createNew,
        !createNew && !deleteOnClose && !options.contains(LinkOption.NOFOLLOW_LINKS),
        deleteOnClose,
        options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC));
  }

  boolean creates() {
    return create || createNew;
  }
}
