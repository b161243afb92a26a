package dev.rondo.application.internal;

import java.net.InetSocketAddress;
import java.net.URI;

/// Serves the page of [dev.rondo.application.ApplicationBuilder#inspector]. The module
/// `dev.rondo.inspector` provides it as a service.
public interface InspectorProvider {

  /// A served page. Any thread.
  interface Page extends AutoCloseable {

    /// {@return its address}
    URI uri();

    /// Ends the server and all requests; the port is free afterwards.
    @Override
    void close();
  }

  /// Begins to serve.
  ///
  /// @param address where to listen; port 0 for any free one
  /// @return the page
  /// @throws IllegalStateException if the page cannot be served
  Page open(InetSocketAddress address);
}
