package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.grpc.GrpcCalls;
import dev.rondo.grpc.GrpcServer;
import dev.rondo.grpc.GrpcSource;
import dev.rondo.grpc.GrpcStream;
import dev.rondo.scheduler.Selection;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A gRPC service with the four kinds of calls, deadlines and metadata. Its messages are plain
/// texts, so it needs no generated code.
final class Weather implements BindableService {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long SHORT_MILLIS = 50;

  private static final MethodDescriptor<String, String> NOW = method(MethodType.UNARY, "Now");
  private static final MethodDescriptor<String, String> FORECAST =
      method(MethodType.SERVER_STREAMING, "Forecast");
  private static final MethodDescriptor<String, String> REPORT =
      method(MethodType.CLIENT_STREAMING, "Report");
  private static final MethodDescriptor<String, String> TALK =
      method(MethodType.BIDI_STREAMING, "Talk");

  private static final Metadata.Key<String> LANGUAGE_HEADER =
      Metadata.Key.of("language", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> LANGUAGE = Context.key("language");

  private final Application app;
  private final GrpcCalls calls;
  private final List<String> story = new ArrayList<>();

  private Weather(Application app) {
    this.app = app;
    this.calls = GrpcCalls.on(app.scheduler());
  }

  static void main() {
    Application.run(app -> observe(app).forEach(IO::println));
  }

  /// {@return the results of the client}
  static List<String> observe(Application app) throws IOException {
    var weather = new Weather(app);
    GrpcCalls calls = weather.calls;
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (GrpcServer server =
        calls.start(
            calls
                .serverBuilder(address)
                .addService(ServerInterceptors.intercept(weather, new Languages())))) {
      ManagedChannel channel =
          calls.channelBuilder(server.localAddresses().getFirst()).usePlaintext().build();
      weather.ask(channel);
      channel.shutdown();
      weather.story.add("drained: " + server.shutdown(PATIENCE));
    }
    return weather.story;
  }

  // The service.

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("Weather")
        .addMethod(
            NOW,
            ServerCalls.asyncUnaryCall((city, responses) -> {
              String language = LANGUAGE.get(); // before the task begins
              calls.unary(responses, () -> now(city, language));
            }))
        .addMethod(
            FORECAST,
            ServerCalls.asyncServerStreamingCall((city, responses) ->
                calls.serverStreaming(
                    responses,
                    days -> {
                      days.send(city + " today: sun");
                      days.send(city + " tomorrow: rain");
                    })))
        .addMethod(
            REPORT,
            ServerCalls.asyncClientStreamingCall(
                responses -> calls.<String, String>clientStreaming(responses, Weather::count)))
        .addMethod(
            TALK,
            ServerCalls.asyncBidiStreamingCall(responses ->
                calls.<String, String>streaming(
                    responses,
                    (questions, answers) -> {
                      for (String each : questions) {
                        answers.send(each + "? perhaps");
                      }
                    })))
        .build();
  }

  private String now(String city, String language) {
    if (city.equals("nowhere")) {
      app.sleep(PATIENCE); // the client's deadline ends it
    }
    return language.equals("de") ? city + ": sonnig" : city + ": sunny";
  }

  private static String count(GrpcSource<String> reports) {
    int count = 0;
    for (String _ : reports) {
      count++;
    }
    return count + " reports";
  }

  /// Passes the language of a request on to the service.
  private static final class Languages implements ServerInterceptor {

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      @Nullable String language = headers.get(LANGUAGE_HEADER);
      Context context = Context.current().withValue(LANGUAGE, language == null ? "en" : language);
      return Contexts.interceptCall(context, call, headers, next);
    }
  }

  // The client.

  private void ask(Channel channel) {
    story.add(
        calls.await(ClientCalls.futureUnaryCall(channel.newCall(NOW, within(20_000)), "oslo")));
    var headers = new Metadata();
    headers.put(LANGUAGE_HEADER, "de");
    Channel german =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    Selection<?> first =
        app.select(
            calls.awaiting(
                ClientCalls.futureUnaryCall(german.newCall(NOW, CallOptions.DEFAULT), "oslo")),
            app.time().after(PATIENCE));
    story.add("" + first.value());
    try {
      calls.await(
          ClientCalls.futureUnaryCall(channel.newCall(NOW, within(SHORT_MILLIS)), "nowhere"));
    } catch (StatusRuntimeException e) {
      story.add("nowhere: " + e.getStatus().getCode());
    }

    try (GrpcSource<String> days =
        calls.responses(each ->
            ClientCalls.asyncServerStreamingCall(
                channel.newCall(FORECAST, CallOptions.DEFAULT), "oslo", each))) {
      for (String each : days) {
        story.add(each);
      }
    }
    try (GrpcStream<String, String> report =
        calls.open(each ->
            ClientCalls.asyncClientStreamingCall(
                channel.newCall(REPORT, CallOptions.DEFAULT), each))) {
      report.requests().send("hail");
      report.requests().send("fog");
      report.requests().close();
      story.add("" + report.responses().receive());
    }
    try (GrpcStream<String, String> talk =
        calls.open(each ->
            ClientCalls.asyncBidiStreamingCall(channel.newCall(TALK, CallOptions.DEFAULT), each))) {
      talk.requests().send("snow", PATIENCE);
      Selection<?> answer = app.select(talk.responses().receiving(), app.time().after(PATIENCE));
      story.add("" + answer.value());
    }
  }

  private static CallOptions within(long millis) {
    return CallOptions.DEFAULT.withDeadlineAfter(millis, TimeUnit.MILLISECONDS);
  }

  // The messages.

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("Weather", name))
        .build();
  }

  private static final class Text implements MethodDescriptor.Marshaller<String> {

    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream bytes) {
      try {
        return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
