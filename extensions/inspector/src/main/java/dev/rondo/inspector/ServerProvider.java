package dev.rondo.inspector;

import dev.rondo.application.internal.InspectorProvider;
import java.net.InetSocketAddress;

/// What an application finds when it is to have an inspector.
public final class ServerProvider implements InspectorProvider {

  /// For the loader of services.
  public ServerProvider() {}

  @Override
  public Page open(InetSocketAddress address) {
    return InspectorServer.open(address);
  }
}
