package dev.rondo.inspector;

import dev.rondo.application.internal.InspectorProvider;
import java.net.InetSocketAddress;

/// The service by which an application finds its inspector.
public final class ServerProvider implements InspectorProvider {

  /// For the loader of services.
  public ServerProvider() {}

  @Override
  public Page open(InetSocketAddress address) {
    return InspectorServer.open(address);
  }
}
