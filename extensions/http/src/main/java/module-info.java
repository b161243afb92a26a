import org.jspecify.annotations.NullMarked;

/// HTTP and WebSockets on the loop of a scheduler: a server and a client, on Netty's codecs.
@NullMarked
module dev.rondo.http {
  requires transitive dev.rondo.netty;
  requires transitive dev.rondo.scheduler;
  requires transitive io.netty.codec.http;
  requires transitive io.netty.handler;
  requires transitive io.netty.transport;
  requires dev.rondo.io;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler.proxy;
  requires static org.jspecify;

  exports dev.rondo.http.client;
  exports dev.rondo.http.files;
  exports dev.rondo.http.server;
  exports dev.rondo.http.websocket;
}
