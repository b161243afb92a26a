package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.application.LoopGroup;
import dev.rondo.cluster.ClusterSignal;
import dev.rondo.cluster.Codec;
import dev.rondo.cluster.JobAction;
import dev.rondo.cluster.Lease;
import dev.rondo.cluster.Mailbox;
import dev.rondo.cluster.RemoteMailbox;
import dev.rondo.cluster.SpreadAction;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.computicle.Computicle;
import dev.rondo.computicle.Endpoint;
import dev.rondo.computicle.Endpoints;
import dev.rondo.computicle.Pool;
import dev.rondo.condition.Cell;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.SignalHandler;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Receiver;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Promise;
import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.http.client.HttpBodyWriter;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientBuilder;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.client.HttpClientRequest;
import dev.rondo.http.client.HttpClientResponse;
import dev.rondo.http.client.HttpProxy;
import dev.rondo.http.client.HttpRedirects;
import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.server.HttpAccess;
import dev.rondo.http.server.HttpCompression;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.http.server.HttpStatusException;
import dev.rondo.http.server.ServerSentEvents;
import dev.rondo.http.websocket.PreparedMessage;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.io.ByteSink;
import dev.rondo.io.ByteSource;
import dev.rondo.io.ByteStream;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.UnixListener;
import dev.rondo.io.UnixSocket;
import dev.rondo.io.WaitForName;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.system.SignalWatch;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.junit.RondoTest;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.observe.Observers;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.TaskLimits;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.time.Backoff;
import dev.rondo.time.RateLimiter;
import dev.rondo.time.Recurrence;
import dev.rondo.time.Retry;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import dev.rondo.time.WallClock;
import dev.rondo.ui.Swing;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.awt.Dialog;
import java.awt.Window;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import javax.sql.DataSource;
import javax.swing.AbstractButton;

/// The calls in the tables of the documentation, as code that compiles: see [DocsTest]. Never run.
@SuppressWarnings({"unused", "CheckReturnValue", "FutureReturnValueIgnored", "EmptyBlock"})
abstract class DocsWords {

  private static final TaskLocal<String> USER = TaskLocal.named("user");

  private Application app;
  private Scheduler scheduler;
  private SchedulerBuilder builder;
  private Observers observers;
  private WaitForTime time;
  private Duration d;
  private Duration drain;
  private Duration cleanUp;
  private int n;
  private int x;
  private TaskAction<?> code;
  private TaskCall<String, Exception> call;
  private BooleanSupplier predicate;
  private ZoneId zone;
  private RandomGenerator random;
  private List<String> urls;
  private TcpSocket socket;
  private LoopGroup.Main main;
  private LoopGroup.Call<String> loopCode;
  private LoopGroup.Member loop;
  private InetSocketAddress address;
  private String name;
  private ChildProcess child;
  private ByteSource source;
  private ByteSink sink;
  private ByteStream stream;
  private SSLContext context;
  private String peer;
  private String host;
  private OpenFile file;
  private long position;
  private long count;
  private ByteBuffer buffer;
  private Waitable<String> waitable;
  private Task<String> task;
  private Channel<String> channel;
  private Broadcast<String> broadcast;
  private Receiver<Integer> numbers;
  private Channel<String> a;
  private Channel<String> b;
  private Flow.Publisher<String> publisher;
  private Mutex mutex;
  private CompletableFuture<String> future;
  private Runnable runnable;
  private Object payload;
  private Path path;
  private Path directory;
  private byte[] bytes;
  private String line;
  private DataSource database;
  private TaskLimits limits;
  private TaskListener listener;

  abstract String compute();

  abstract Process start(String what);

  abstract String anything();

  abstract String fetch(String url);

  void tasks() throws Exception {
    var task = app.spawn(() -> compute());
    task.join();
    var group = app.<String>newGroup("pages");
    group.run(() -> urls.forEach(u -> group.spawn(u, () -> fetch(u))));
    group.results();
    scheduler.newGroup("clients", TaskGroup.Policy.SUPERVISE);
    TaskGroup<String> mirrors = scheduler.newGroup("mirrors", TaskGroup.Policy.FIRST_SUCCESS);
    mirrors.first();
    app.yield();
    task.cancel("why");
    group.cancel("why");
    app.shielded(() -> anything());
    scheduler.scheduleTask(scheduler.newTask(name, code).daemon());
    app.stop();
    app.exit(n);
    app.shutdown(drain, cleanUp);
    app.await(app.shutdownRequested());
    TaskLocal.where(USER, "ada").run(code);
    scheduler.newGenerator("lines", sink -> sink.yield(line));
  }

  void byHand() {
    scheduler.step();
    scheduler.start();
    scheduler.stop();
    scheduler.suspend();
    scheduler.scheduleTask(task, "value");
  }

  void waits() throws Exception {
    app.sleep(d);
    app.waitFor(() -> x > 3);
    app.waitForSignal("go");
    socket.read(buffer);
    app.await(waitable);
    app.within(d, () -> anything());
    app.await(waitable, d);
    app.timeout(d);
    app.select(socket.readable(), app.time().after(d), task);
    Select.biased().on(a.receiving(), x -> compute()).after(d, () -> anything()).run();
    Select.biased().on(a.receiving(), x -> compute()).on(b.receiving(), x -> compute()).runReady();
    app.blocking(() -> fetch("slow"));
    app.blocking(() -> compute());
    try (var c = app.blocking(database::getConnection)) {
      c.commit();
    }
    app.blocking(() -> start("slow"), Process::destroy);
    app.await(scheduler.completion(future));
    app.await(Waitable.cancelling(future), d);
  }

  void later() throws Exception {
    app.delay(d, code);
    app.periodic(d, code);
    app.time().periodic(d, timer -> timer.cancel());
    app.when(predicate, code);
    app.conditions();
    app.whenever(predicate, code);
    app.onSignal("go", code);
    app.signals().signal("go").onSignal(payload -> compute());
    HandlerRegistration registration = app.whenever(predicate, code);
    registration.cancel();
    Timer timer = app.periodic(d, code);
    timer.cancel();
    timer.fired();
    timer.missed();
    app.signalOne("go");
    app.signalAll("go");
    app.signals().signalAll("go", payload);
    new WallClock(app.scheduler()).recurring(Recurrence.cron("*/15 * * * *", zone), code);
    app.time().timerSlack(Duration.ZERO);
    new Retry(scheduler, Backoff.exponential(5, d), random).run(call);
    new RateLimiter(scheduler, n, d).acquire();
  }

  void conditions() {
    Channel.bounded(scheduler, 16);
    for (var x : channel) {
      line = x;
    }
    a.receivingOrEnd();
    numbers.filter(x -> x > 3).map(x -> "" + x).batch(10, d);
    numbers.mapConcurrently(n, x -> compute());
    new Promise<>(app.scheduler(), "answer");
    var level = new Cell<>(app.scheduler(), "level", 0);
    app.waitFor(() -> level.get() > 3);
    try (var held = mutex.lock()) {
      line = held.toString();
    }
    channel.asPublisher();
    broadcast.asPublisher();
    for (var x : Receiver.from(scheduler, publisher, 16)) {
      line = x;
    }
  }

  void others() throws IOException {
    app.listen(8080);
    app.connect("localhost", 8080);
    UdpSocket.open(app.io(), address).receive(buffer).sender();
    UdpSocket.open(app.io(), address).send(buffer, address);
    UnixListener.open(app.io(), path);
    UnixSocket.connect(app.io(), path);
    WaitForProcess.on(scheduler).start(new ProcessBuilder("ls", "-l"));
    child.awaitExit();
    TaskTerminal.open(scheduler);
    SignalWatch watch = WaitForOsSignal.on(scheduler).listen("HUP");
    watch.await();
    ByteStream.of(child.output(), child.input(), peer);
    child.input();
    child.output();
    child.error();
    ByteStream.of(source, sink, peer);
    new TlsClient(scheduler, context).over(stream, host);
    SSLContext current = context;
    new TlsServer(scheduler, name -> Optional.of(current));
    file.transferTo(position, count, socket);
    WaitForName.on(scheduler);
    WaitForFile files = WaitForFile.on(scheduler);
    files.readAll(path);
    files.writeAll(path, bytes);
    file = files.open(path);
    var input = file.input();
    line = input.readLine(n);
    files.watch(directory);
    app.execute(runnable);
    boolean taken = app.post(runnable);
    taken = app.post(() -> app.spawn(name, code));
    try (var open = scheduler.keepAlive()) {
      line = open.toString();
    }
    app.newExecutorService();
    LoopGroup group = Application.builder().loops("loop", n);
    group.run(main);
    loop.listen(address);
    group.spawnOn(n, name, loopCode);
    group.spawnOnLeastBusy(name, loopCode);
    Loops.dump(scheduler, DumpFormat.TEXT, System.out, d);
    Loops.dump(DumpFormat.TEXT, System.out);
    Application.builder().inspector(4040);
    builder.contextPropagation(ContextPropagation.mdc());
    observers.watchdog(Duration.ofMillis(200));
    observers.recorder(Recorder.ofCapacity(10_000));
    observers.flightRecorder();
    observers.management("name");
    builder.instrument(observers);
    builder.listener(listener);
    observers.taskMetrics();
    observers.taskLimits(limits);
    builder.debug();
  }

  /// Words of a program in a window.
  private static final class OfWindows {

    private Application app;
    private AbstractButton button;
    private Window window;
    private Dialog dialog;
    private String name;
    private TaskAction<?> code;
    private Runnable runnable;

    void waits() {
      app.await(Swing.click(button));
      app.await(Swing.closing(window));
      app.await(Swing.dialog(dialog));
      app.spawn(name, code);
      boolean taken = app.post(runnable);
      app.yield();
    }
  }

  /// Words of a program with Netty.
  private static final class OfNetty {

    private Application app;
    private WaitForNetty netty;
    private NettyChannel channel;
    private NettyListener listener;
    private Bootstrap bootstrap;
    private ServerBootstrap serverBootstrap;
    private SocketAddress address;
    private ChannelHandler handler;
    private io.netty.channel.Channel made;
    private Future<String> future;
    private Object message;
    private Duration timeout;

    void channels() throws IOException {
      channel.receive();
      channel.receive(String.class);
      app.within(timeout, () -> channel.receive());
      channel.receiving();
      listener.accepting();
      channel.sendable();
      channel.send(message);
      channel.trySend(message);
      channel.write(message);
      channel.flush();
      netty.await(future);
      netty.waitable(future);
      netty.cancelling(future);
      app.within(timeout, () -> netty.connect(address, handler));
      netty.connecting(bootstrap, address);
      netty.listen(serverBootstrap, address);
      netty.group();
      netty.channel(made);
    }
  }

  /// Words of a program with a server of HTTP.
  private static final class OfHttp {

    private Scheduler scheduler;
    private HttpServerBuilder builder;
    private HttpServer server;
    private HttpExchange exchange;
    private HttpHandler handler;
    private HttpMethod method;
    private HttpResponseStatus status;
    private Consumer<HttpAccess> log;
    private Path certificates;
    private Path file;
    private Path folder;
    private Path privateKey;
    private StaticFiles files;
    private KeyStore keys;
    private char[] password;
    private SslContext context;
    private Duration heartbeat;
    private ServerSentEvents events;
    private WebSocket socket;
    private PreparedMessage message;
    private SocketAddress address;
    private Duration grace;
    private byte[] bytes;
    private String path;
    private String name;
    private String text;
    private String contentType;
    private int n;

    void serve() throws IOException {
      HttpServer.builder(scheduler);
      builder.listen(address);
      builder.errors("application/json", why -> why.getMessage());
      builder.get(path, handler);
      builder.post(path, handler);
      builder.route(method, path, handler);
      builder.limits(HttpLimits.USUAL.withBodyBytes(n));
      builder.compression(HttpCompression.USUAL);
      builder.accessLog(log);
      builder.tls(certificates, privateKey);
      builder.tls(keys, password);
      builder.tls(context);
      builder.files("/static/{name...}", StaticFiles.of(folder));
      builder.reusePort();
      server.localAddress();
      server.tls(certificates, privateKey);
      server.shutdown(grace);
    }

    void answer() throws IOException {
      exchange.pathParameter(name);
      exchange.query(name);
      exchange.headers();
      exchange.protocol();
      exchange.isSecure();
      exchange.clientCertificates();
      exchange.endWithClient();
      exchange.bodyText();
      exchange.bodyBytes();
      exchange.body();
      exchange.respondText(text);
      exchange.respond(status, contentType, bytes);
      exchange.respond(status);
      exchange.stream(status, contentType);
      exchange.responseHeaders();
      exchange.respondFile(file);
      exchange.respondFile(files, name);
      exchange.events(heartbeat);
      events.send(text);
      exchange.webSocket();
      socket.receive();
      socket.send(text);
      socket.trySend(text);
      PreparedMessage.text(text);
      PreparedMessage.binary(bytes);
      socket.trySend(message);
      socket.send(message);
      socket.close();
      throw new HttpStatusException(status, text);
    }
  }

  /// Words of a program with a client of HTTP.
  private static final class OfHttpClient {

    private Application app;
    private Scheduler scheduler;
    private HttpClient client;
    private HttpClientBuilder builder;
    private HttpProxy proxy;
    private String host;
    private int port;
    private String user;
    private String password;
    private Predicate<String> hosts;
    private Duration wait;
    private HttpClientRequest request;
    private HttpClientResponse response;
    private HttpMethod method;
    private WebSocketSettings settings;
    private URI uri;
    private HttpBodyWriter writer;
    private KeyStore trusted;
    private Path certificates;
    private SslContext context;
    private Duration timeout;
    private byte[] bytes;
    private String name;
    private String value;
    private String text;
    private String contentType;
    private int n;

    void build() throws IOException {
      HttpClient.builder(scheduler).build();
      builder.limits(HttpClientLimits.USUAL.withBodyBytes(n));
      builder.trust(trusted);
      builder.trust(certificates);
      builder.tls(context);
      builder.http1Only();
      builder.http2PriorKnowledge();
      builder.redirects(HttpRedirects.NEVER);
      builder.proxy(HttpProxy.of(host, port));
      proxy.withCredentials(user, password);
      proxy.except(hosts);
    }

    void ask() throws IOException {
      client.get(uri);
      client.request(method, uri);
      request.header(name, value);
      request.body(contentType, bytes);
      request.body(contentType, writer);
      request.expectContinue(wait);
      request.repeatableBody();
      request.send();
      client.webSocket(uri);
      client.request(HttpMethod.GET, uri).header(name, value).webSocket(settings);
      response.status();
      response.headers();
      response.bodyText();
      response.bodyBytes();
      response.body();
      response.close();
      app.within(timeout, () -> client.get(uri).bodyText());
    }
  }

  /// Those of several machines.
  @SuppressWarnings({"unused", "CheckReturnValue", "FutureReturnValueIgnored"})
  private static final class OfCluster {

    private Application app;
    private Scheduler scheduler;
    private ClusterConfig config;
    private WaitForCluster cluster;
    private Codec<String> codec;
    private Mailbox<String> mailbox;
    private RemoteMailbox<String> remote;
    private ClusterSignal<String> signal;
    private SignalHandler<String> handler;
    private String message;
    private String payload;
    private Lease lease;
    private TaskAction<RuntimeException> code;
    private Optional<String> before;
    private Optional<String> after;
    private JobAction job;
    private List<String> keys;
    private SpreadAction action;
    private ZoneId zone;
    private Duration d;

    void takePart() throws IOException {
      WaitForCluster.on(scheduler, config);
      cluster.join();
      cluster.members().get();
      cluster.changes();
      cluster.quorum().get();
      cluster.leave();
    }

    void messages() {
      cluster.mailbox("orders", codec);
      mailbox.receive();
      cluster.to("stock", "orders", codec);
      remote.send(message);
      remote.send(message).awaitTaken();
      cluster.signal("closing", codec);
      signal.signalAll(payload);
      app.await(signal);
      signal.onSignal(handler);
    }

    private void use(long token) {}

    void agree() {
      cluster.lease("nightly").acquire(d);
      lease.run(code);
      cluster.lease("boss").acquire(d);
      lease.token();
      cluster.lease("boss").holder().get();
      cluster.counter("visits").add(1);
      cluster.register("mode", codec).compareAndSet(before, after);
      cluster.periodic("heartbeat", d, TickPolicy.SKIP, job);
      cluster.recurring("nightly", Recurrence.cron("0 3 * * *", zone), job);
      cluster.spread("shards", keys, action);
    }
  }

  /// Those of several loops.
  @SuppressWarnings({"unused", "CheckReturnValue", "FutureReturnValueIgnored", "EmptyBlock"})
  private static final class OfLoops {

    private Computicle<String> computicle;
    private Endpoint<String> endpoint;
    private Throwable cause;
    private Pool pool;
    private TaskAction<?> code;
    private TaskAction<?> job;
    private Class<String> type;
    private String name;
    private String message;
    private Duration d;
    private int n;

    void computicles() {
      Computicle.start(name, (app, mailbox) -> app.yield());
      computicle.send(message);
      computicle.mailbox();
      computicle.exec(code);
      computicle.quit();
      computicle.join();
      computicle.ended();
      computicle.close();
      computicle.undelivered();
    }

    void messages() {
      new Endpoint<>(name, 100);
      endpoint.send(message);
      endpoint.receive();
      for (var each : endpoint) {}
      endpoint.receiving();
      endpoint.sending(message);
      endpoint.cancel(cause);
      Endpoints.global().any(name, type);
    }

    void jobs() {
      new Pool(name, 2);
      pool.spawn(job);
      pool.resize(n);
    }
  }

  /// Those of explorations.
  @SuppressWarnings({"unused", "CheckReturnValue"})
  private static final class OfExploration {

    private Strategy strategy;
    private Explorer explorer;
    private Explorer.Body body;
    private Exploration exploration;
    private Choices choices;
    private ChoiceKind kind;
    private String text;
    private Path path;
    private Duration d;
    private int n;
    private int part;

    void search() throws Throwable {
      new Explorer(strategy).runs(1_000).explore(body);
      exploration.requireNoFailure();
      explorer.shrinking(d, n);
      exploration.shrunk().orElseThrow().writeTo(path);
      Strategy.replay(ChoiceSequence.parse(text));
    }

    void choose() {
      Scheduler.builder().policy(choices::policy);
      choices.nextInt(n);
      choices.uuid();
      choices.chance(kind, 0.1);
      choices.choose(kind, n);
      choices.generator(kind, part);
    }
  }

  @RondoTest
  void test(Application app) {
    app.yield();
  }
}
