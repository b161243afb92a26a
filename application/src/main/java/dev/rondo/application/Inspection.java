package dev.rondo.application;

import dev.rondo.application.internal.InspectorProvider;
import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.scheduler.Scheduler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The inspector of the applications of one builder. It is open while any of them is. Thread-safe.
final class Inspection {

  /// An application's share in the inspector.
  final class Use implements AutoCloseable {

    private final URI uri;
    private boolean closed;

    private Use(URI uri) {
      this.uri = uri;
    }

    /// {@return the address of the page}
    URI uri() {
      return uri;
    }

    /// Later calls do nothing.
    @Override
    public void close() {
      synchronized (Inspection.this) {
        if (!closed) {
          closed = true;
          release();
        }
      }
    }
  }

  /// Guarded by this. After the first use it has the port that was found then, so that a page in a
  /// browser finds a restarted application.
  private InetSocketAddress address;

  /// Guarded by this.
  private int users;

  /// Guarded by this; null while there are no users.
  private InspectorProvider.@Nullable Page page;

  Inspection(InetSocketAddress address) {
    this.address = address;
  }

  /// Opens the inspector for an application, unless the inspector is open already.
  ///
  /// @throws IllegalStateException if the port is taken, the scheduler has no access from outside,
  ///   or the inspector is not on the path
  synchronized Use open(Scheduler scheduler) {
    if (LoopMonitor.all().stream()
        .map(LoopMonitor::scheduler)
        .noneMatch(each -> each == scheduler)) {
      throw new IllegalStateException("an inspector needs access from outside: leave out bare()");
    }
    InspectorProvider.Page open = page;
    if (open == null) {
      open = provider().open(address);
      page = open;
      address = new InetSocketAddress(address.getAddress(), open.uri().getPort());
      LoggerFactory.getLogger(Inspection.class).info("inspector: {}", open.uri());
    }
    users++;
    return new Use(open.uri());
  }

  private static InspectorProvider provider() {
    return ServiceLoader.load(InspectorProvider.class, InspectorProvider.class.getClassLoader())
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "an inspector needs the artifact dev.rondo:rondo-inspector on the path"));
  }

  private void release() {
    users--;
    InspectorProvider.Page open = page;
    if (users == 0 && open != null) {
      page = null;
      open.close();
    }
  }
}
