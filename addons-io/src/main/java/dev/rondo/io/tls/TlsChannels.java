package dev.rondo.io.tls;

import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import tlschannel.ClientTlsChannel;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/// Makes the library's channels. It is apart from [TlsClient] and [TlsServer] because the JVM's
/// verifier looks up the library's classes before it lets a class run that passes one of them for
/// another; those two must run without, to say that the library is not there.
final class TlsChannels {

  private TlsChannels() {}

  static TlsChannel ofClient(MemoryChannel wire, SSLEngine engine) {
    return ClientTlsChannel.newBuilder(wire, engine).withRunTasks(false).build();
  }

  /// @param contexts who we are for the name that a client gives
  /// @param engines made of that
  static TlsChannel ofServer(
      MemoryChannel wire,
      Function<Optional<SNIServerName>, Optional<SSLContext>> contexts,
      Function<SSLContext, SSLEngine> engines) {
    return ServerTlsChannel.newBuilder(wire, contexts::apply)
        .withEngineFactory(engines)
        .withRunTasks(false)
        .build();
  }
}
