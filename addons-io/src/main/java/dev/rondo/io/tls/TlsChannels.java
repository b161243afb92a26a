package dev.rondo.io.tls;

import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import tlschannel.ClientTlsChannel;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/// Creates the library's channels. This is not part of [TlsClient] and [TlsServer], which must run
/// without the library to report that it is missing. The JVM's verifier loads library classes
/// before it runs a class that converts between them.
final class TlsChannels {

  private TlsChannels() {}

  static TlsChannel ofClient(MemoryChannel memory, SSLEngine engine) {
    return ClientTlsChannel.newBuilder(memory, engine).withRunTasks(false).build();
  }

  /// @param contexts the server's identity for the name that a client asks for
  /// @param engines creates an engine for it
  static TlsChannel ofServer(
      MemoryChannel memory,
      Function<Optional<SNIServerName>, Optional<SSLContext>> contexts,
      Function<SSLContext, SSLEngine> engines) {
    return ServerTlsChannel.newBuilder(memory, contexts::apply)
        .withEngineFactory(engines)
        .withRunTasks(false)
        .build();
  }
}
