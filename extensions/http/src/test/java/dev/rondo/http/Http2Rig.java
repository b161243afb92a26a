package dev.rondo.http;

import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Servers of HTTP, and clients that speak HTTP/2 without asking.
public abstract class Http2Rig extends HttpRig {

  /// A connection of HTTP/2. A task receives its messages all the time.
  protected final class Http2Client implements AutoCloseable {

    public final NettyChannel connection;

    /// Of the settings that the server has sent first.
    public long mostStreams = -1;

    /// Whether those settings allow an extended CONNECT.
    public boolean connectsProtocols;

    public final List<Long> goneAway = new ArrayList<>();

    public Http2Client(HttpServer server) {
      connection =
          scheduler
              .host()
              .awaitEvent(
                  netty.connecting(
                      client()
                          .handler(
                              handlers(made ->
                                  made.pipeline()
                                      .addLast(
                                          Http2FrameCodecBuilder.forClient()
                                              .encoderIgnoreMaxHeaderListSize(true)
                                              .build(),
                                          new Http2MultiplexHandler(handlers(pushed -> {}))))),
                      server.localAddress()));
      var _ = scheduler.spawn("frames of the connection", this::receiveAll);
    }

    private void receiveAll() {
      try {
        for (Object each; (each = connection.receive()) != null; ) {
          if (each instanceof Http2SettingsFrame settings && mostStreams < 0) {
            Long most = settings.settings().maxConcurrentStreams();
            mostStreams = most == null ? Long.MAX_VALUE : most;
            connectsProtocols = Boolean.TRUE.equals(settings.settings().connectProtocolEnabled());
          } else if (each instanceof Http2GoAwayFrame goAway) {
            goneAway.add(goAway.errorCode());
          }
          ReferenceCountUtil.release(each);
        }
        connection.close(); // as clients do when the server has ended
      } catch (IOException e) {
        // closed
      }
    }

    public Http2Request open() throws IOException {
      return open(made -> made.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(false)));
    }

    public Http2Request open(Consumer<Channel> pipeline) throws IOException {
      await(() -> mostStreams >= 0 || !connection.channel().isOpen());
      var opening = new Http2StreamChannelBootstrap(connection.channel());
      var request = new Http2Request();
      var _ =
          netty.await(
              opening
                  .handler(
                      handlers(made -> {
                        made.pipeline().addLast(request.resets());
                        pipeline.accept(made);
                        request.channel = netty.channel(made);
                      }))
                  .open());
      return request;
    }

    public Http2Request get(String path) throws IOException {
      return begun(
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.GET, path, Unpooled.EMPTY_BUFFER));
    }

    /// A request whose body follows.
    public Http2Request post(String path) throws IOException {
      return begun(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path));
    }

    public Http2Request begun(HttpRequest head) throws IOException {
      head.headers().set("host", "a");
      Http2Request request = open();
      try {
        request.channel.send(head);
        return request;
      } catch (IOException | RuntimeException e) {
        request.close();
        throw e;
      }
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  /// One stream.
  protected static final class Http2Request implements AutoCloseable {

    public NettyChannel channel;

    /// The code with which the server has reset the stream; -1 if it has not.
    public long reset = -1;

    private ChannelInboundHandlerAdapter resets() {
      return new ChannelInboundHandlerAdapter() {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
          if (event instanceof Http2ResetFrame frame) {
            reset = frame.errorCode();
          }
          context.fireUserEventTriggered(event);
        }
      };
    }

    /// The status, a space, and the body, as far as it comes.
    public String response() throws IOException {
      return response(_ -> false);
    }

    /// The same, until it has a text.
    public String until(String part) throws IOException {
      return response(text -> text.indexOf(part) >= 0);
    }

    private String response(Predicate<StringBuilder> isEnough) throws IOException {
      var text = new StringBuilder();
      for (Object each; !isEnough.test(text) && (each = channel.receive()) != null; ) {
        if (each instanceof HttpResponse response) {
          text.append(response.status().code()).append(' ');
        }
        if (each instanceof HttpContent content) {
          text.append(content.content().toString(StandardCharsets.ISO_8859_1));
        }
        boolean last = each instanceof LastHttpContent;
        ReferenceCountUtil.release(each);
        if (last && text.length() > 0 && !text.toString().equals("100 ")) {
          break;
        }
      }
      return text.toString();
    }

    @Override
    public void close() {
      channel.close();
    }
  }
}
