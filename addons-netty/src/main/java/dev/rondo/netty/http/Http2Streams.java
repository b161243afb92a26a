package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.WaitForNetty;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import org.jspecify.annotations.Nullable;

/// Hands the streams that a client opens to the task of the connection, as messages. It comes
/// behind the multiplexer in the pipeline.
final class Http2Streams extends ChannelInboundHandlerAdapter {

  /// The head of a request, and the first part of its body: they may be here when its task begins.
  private static final int MESSAGES_AHEAD = 2;

  private final WaitForNetty netty;
  private @Nullable ChannelHandlerContext context;

  Http2Streams(WaitForNetty netty) {
    this.netty = netty;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /// The codec closes a connection that breaks the protocol, and tells the client why.
  @Override
  public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
    if (!(cause instanceof Http2Exception)) {
      own.fireExceptionCaught(cause);
    }
  }

  /// {@return the initializer of streams} Their messages are those of HTTP/1.1.
  ChannelHandler initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel made) {
        opened(made);
      }
    };
  }

  private void opened(Channel made) {
    ChannelHandlerContext connection = context;
    if (connection == null) {
      throw new IllegalStateException("the connection has no pipeline");
    }
    var stream = new Http2Stream();
    made.pipeline()
        .addLast(new Http2Heads(), new Http2StreamFrameToHttpObjectCodec(true), stream.watch());
    NettyChannel channel = netty.channel(made);
    channel.readAhead(MESSAGES_AHEAD);
    channel.gatherFlushes(); // of all streams, in few system calls
    stream.channel(channel);
    var _ = connection.fireChannelRead(stream);
  }
}
