package dev.rondo.cluster.internal.etcd;

import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.grpc.GrpcCalls;
import dev.rondo.grpc.GrpcStream;
import dev.rondo.scheduler.Scheduler;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/// A connection to one server of etcd, and the calls on it. A server that sees no majority refuses
/// them.
///
/// Confined to the thread of its scheduler.
public final class EtcdConnection implements AutoCloseable {

  /// How long a server may take to answer.
  static final Duration ANSWER = Duration.ofSeconds(2);

  private static final int MOST_MESSAGE_BYTES = 1 << 28;

  private static final MethodDescriptor<EtcdMessage, EtcdMessage> RANGE =
      EtcdMessage.method(MethodDescriptor.MethodType.UNARY, "KV/Range");
  private static final MethodDescriptor<EtcdMessage, EtcdMessage> TXN =
      EtcdMessage.method(MethodDescriptor.MethodType.UNARY, "KV/Txn");
  private static final MethodDescriptor<EtcdMessage, EtcdMessage> AUTHENTICATE =
      EtcdMessage.method(MethodDescriptor.MethodType.UNARY, "Auth/Authenticate");
  private static final MethodDescriptor<EtcdMessage, EtcdMessage> WATCH =
      EtcdMessage.method(MethodDescriptor.MethodType.BIDI_STREAMING, "Watch/Watch");

  private final Scheduler scheduler;
  private final GrpcCalls calls;
  private final ManagedChannel channel;
  private Channel authorized;

  /// How long the next answer may take.
  private Duration limit;

  private EtcdConnection(
      Scheduler scheduler, EtcdServers servers, InetSocketAddress server, Duration limit) {
    this.scheduler = scheduler;
    this.limit = limit;
    this.calls = GrpcCalls.on(scheduler);
    NettyChannelBuilder builder =
        calls.channelBuilder(server).disableRetry().maxInboundMessageSize(MOST_MESSAGE_BYTES);
    SSLContext tls = servers.tls() == null ? null : servers.tls().context();
    this.channel = (tls == null ? builder.usePlaintext() : secured(builder, tls)).build();
    this.authorized = with("hasleader", "true", channel);
  }

  private static NettyChannelBuilder secured(NettyChannelBuilder builder, SSLContext tls) {
    var protocols =
        new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            "h2");
    return builder.sslContext(
        new JdkSslContext(
            tls,
            true,
            null,
            IdentityCipherSuiteFilter.INSTANCE,
            protocols,
            ClientAuth.NONE,
            new String[] {"TLSv1.3"},
            false));
  }

  private static Channel with(String name, String value, Channel channel) {
    var metadata = new Metadata();
    metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /// Connects, as the user if there is one. *Possibly* a suspension point.
  ///
  /// @param first how long connecting and the first answer may take
  static EtcdConnection open(
      Scheduler scheduler, EtcdServers servers, InetSocketAddress server, Duration first) {
    var connection = new EtcdConnection(scheduler, servers, server, first);
    boolean isOpen = false;
    try {
      String user = servers.user();
      String password = servers.password();
      if (user != null && password != null) {
        EtcdMessage request = new EtcdMessage().with(1, user).with(2, password);
        String token = connection.call(AUTHENTICATE, request).text(2);
        connection.authorized = with("token", token, connection.authorized);
      }
      isOpen = true;
      return connection;
    } finally {
      if (!isOpen) {
        connection.close();
      }
    }
  }

  private EtcdMessage call(MethodDescriptor<EtcdMessage, EtcdMessage> method, EtcdMessage request) {
    EtcdMessage answer =
        scheduler.within(
            limit,
            () ->
                calls.await(
                    ClientCalls.futureUnaryCall(
                        authorized.newCall(method, CallOptions.DEFAULT), request)));
    limit = ANSWER;
    return answer;
  }

  /// Reads keys from one on, up to another one.
  ///
  /// @param revision of which; 0 for the present one
  EtcdMessage range(String from, String end, int most, long revision) {
    return call(
        RANGE, new EtcdMessage().with(1, from).with(2, end).with(3, most).with(4, revision));
  }

  /// Puts a key if it was last changed by a revision; 0 for a key that is not there.
  ///
  /// @return whether it was so
  boolean putIf(String key, long revision, byte[] value) {
    int modified = 2;
    EtcdMessage compared =
        new EtcdMessage().with(1, 0).with(2, modified).with(3, key).with(6, revision);
    EtcdMessage put = new EtcdMessage().with(2, new EtcdMessage().with(1, key).with(2, value));
    return call(TXN, new EtcdMessage().with(1, compared).with(2, put)).flag(2);
  }

  /// {@return what deletes the keys from one on, up to another one; empty for the one key}
  static EtcdMessage deletion(String from, String end) {
    EtcdMessage range = new EtcdMessage().with(1, from);
    return new EtcdMessage().with(3, end.isEmpty() ? range : range.with(2, end));
  }

  void delete(Iterable<EtcdMessage> deletions) {
    var request = new EtcdMessage();
    for (EtcdMessage each : deletions) {
      var _ = request.with(2, each);
    }
    var _ = call(TXN, request);
  }

  /// Watches the keys from one on, up to another one, from a revision on.
  GrpcStream<EtcdMessage, EtcdMessage> watch(String from, String end, long revision) {
    GrpcStream<EtcdMessage, EtcdMessage> stream =
        calls.open(responses ->
            ClientCalls.asyncBidiStreamingCall(
                authorized.newCall(WATCH, CallOptions.DEFAULT), responses));
    EtcdMessage created = new EtcdMessage().with(1, from).with(2, end).with(3, revision).with(8, 1);
    stream.requests().send(new EtcdMessage().with(1, created));
    return stream;
  }

  @Override
  public void close() {
    var _ = channel.shutdownNow();
  }
}
