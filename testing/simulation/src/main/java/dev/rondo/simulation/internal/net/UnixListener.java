package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A Unix socket that listens.
public final class UnixListener extends ListenerEndpoint<UnixConnection> {

  private final UnixNames names;
  private @Nullable Path name;
  private boolean listening;

  /// Creates a socket that does not listen yet.
  ///
  /// @param host whose names it uses
  public UnixListener(Host host) {
    super(BufferSizes.ofUnix());
    this.names = host.unixNames();
  }

  /// Binds and begins to listen.
  ///
  /// @param wanted its name
  /// @param length how many connections may wait, and one more
  /// @throws IOException if another socket has the name
  public void listen(Path wanted, int length) throws IOException {
    names.bind(wanted, this);
    name = wanted;
    listening = true;
    backlog(length);
  }

  /// {@return its name; null if it is not bound}
  public @Nullable Path name() {
    return name;
  }

  @Override
  boolean isListening() {
    return listening;
  }

  @Override
  public void close() {
    Path own = name;
    if (listening && own != null) {
      listening = false;
      names.closed(own, this);
      abortAll();
    }
  }
}
