package dev.rondo.io;

import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.Workers;
import dev.rondo.io.internal.channel.HappyEyeballs;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Resolves names, and connects to hosts that have several addresses.
///
/// Resolvers block. They run on a few threads of this add-on that do nothing else, so a name server
/// that does not answer delays only other lookups. A numeric address needs no thread, and neither
/// does a resolver that does not block, see [NameResolver#mayBlock()].
///
/// Confined to the scheduler's thread.
public final class WaitForName implements AddOn {

  /// How long one attempt to connect may take before the next address is tried at the same time, as
  /// RFC 8305 recommends.
  private static final Duration ATTEMPT_DELAY = Duration.ofMillis(250);

  private static final int THREADS = 8;
  private static final int LARGEST_PORT = 0xffff;

  private final Scheduler scheduler;
  private final Workers workers;
  private NameResolver resolver = SystemNameResolver.INSTANCE;

  private WaitForName(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.workers = Workers.open(scheduler, "rondo-names", THREADS);
    scheduler.host().install(this);
  }

  /// {@return the add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForName on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForName installed = scheduler.host().addOn(WaitForName.class);
    return installed != null ? installed : new WaitForName(scheduler);
  }

  /// Sets where names are looked up, from the next lookup on. Never a suspension point.
  ///
  /// @param replacement its methods run on the threads of this add-on and may block
  public void resolver(NameResolver replacement) {
    Objects.requireNonNull(replacement, "replacement is null");
    scheduler.host().checkThread();
    resolver = replacement;
  }

  /// Looks up the addresses of a host. *Always* a suspension point, unless the host is numeric or
  /// the resolver does not block; never one then.
  ///
  /// @param host a name or a numeric IPv4 or IPv6 address
  /// @return at least one, the preferred first
  /// @throws UnknownHostException if there is no such host; the message has the name
  /// @throws IllegalArgumentException if the name is blank
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    return resolve(host, AddressFamily.ANY);
  }

  /// Looks up a host's addresses of one family. A *possible* suspension point, as
  /// [#resolve(String)] is.
  ///
  /// @param host a name or a numeric IPv4 or IPv6 address
  /// @param family the family of the addresses
  /// @return at least one, the preferred first
  /// @throws UnknownHostException if there is no such host, or it has no such address
  /// @throws IllegalArgumentException if the name is blank
  public List<InetAddress> resolve(String host, AddressFamily family) throws UnknownHostException {
    Objects.requireNonNull(host, "host is null");
    Objects.requireNonNull(family, "family is null");
    scheduler.host().checkThread();
    List<InetAddress> literal = literal(host);
    return wanted(
        host,
        family,
        literal != null ? literal : lookUp("host '" + host + "'", host, addressesOf(host)));
  }

  /// {@return the address of a numeric host; null if the host is a name}
  private static @Nullable List<InetAddress> literal(String host) {
    if (host.isBlank()) {
      throw new IllegalArgumentException("a host's name must not be blank: host='" + host + "'");
    }
    try {
      return List.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException notNumeric) {
      return null;
    }
  }

  private static List<InetAddress> wanted(String host, AddressFamily family, List<InetAddress> all)
      throws UnknownHostException {
    List<InetAddress> wanted = all.stream().filter(family::has).toList();
    if (wanted.isEmpty()) {
      throw new UnknownHostException(
          "host '" + host + "' has no address of this kind: wanted=" + family + ", found=" + all);
    }
    return wanted;
  }

  private Callable<List<InetAddress>> addressesOf(String host) {
    NameResolver asked = resolver;
    return () -> asked.addresses(host);
  }

  /// Looks up the name of an address. *Always* a suspension point, unless the resolver does not
  /// block; never one then.
  ///
  /// @param address any
  /// @return its name
  /// @throws UnknownHostException if it has none; the message has the address
  public String reverse(InetAddress address) throws UnknownHostException {
    Objects.requireNonNull(address, "address is null");
    String numeric = address.getHostAddress();
    return lookUp("name of " + numeric, numeric, nameOf(address));
  }

  private Callable<String> nameOf(InetAddress address) {
    NameResolver asked = resolver;
    return () -> asked.name(address);
  }

  private <T> T lookUp(String what, String asked, Callable<T> lookup) throws UnknownHostException {
    return found(what, asked, resolver.mayBlock() ? () -> workers.<T>abandonable(lookup) : lookup);
  }

  private static <T> T found(String what, String asked, Callable<T> lookup)
      throws UnknownHostException {
    try {
      return lookup.call();
    } catch (UnknownHostException e) {
      var unknown = new UnknownHostException("unknown " + what + reason(e, asked));
      unknown.initCause(e);
      throw unknown;
    } catch (Exception e) {
      throw Throwables.<RuntimeException>rethrow(e);
    }
  }

  /// The reason without the name. The JDK's text begins with the name, and the message has it
  /// already.
  private static String reason(UnknownHostException e, String asked) {
    String message = e.getMessage();
    if (message == null || message.equals(asked)) {
      return "";
    }
    String own = asked + ": ";
    return ": " + (message.startsWith(own) ? message.substring(own.length()) : message);
  }

  /// Connects to a host by the address that answers first. The addresses are tried in turn,
  /// alternating between IPv6 and IPv4. The next one is tried when one fails or has not answered
  /// for 250 ms, and the first connection wins (Happy Eyeballs, RFC 8305). So a broken IPv6 route
  /// costs a quarter of a second. A *possible* suspension point; *always* one if the host is not
  /// numeric.
  ///
  /// Unlike in the RFC, this waits for the addresses of both families, because the system returns
  /// them together. A scheduler without a timer (see `WaitForTime`) tries the next address only
  /// when one fails.
  ///
  /// @param host a name or a numeric IPv4 or IPv6 address
  /// @param port from 1 to 65535
  /// @return the connected socket, which the caller closes
  /// @throws UnknownHostException if there is no such host
  /// @throws java.net.ConnectException if nothing listens there
  /// @throws IOException if all addresses failed: the last failure, with the earlier ones
  ///   suppressed; nothing stays open
  /// @throws IllegalArgumentException if the port is out of range, or the name blank
  TcpSocket connect(String host, int port) throws IOException {
    Objects.requireNonNull(host, "host is null");
    if (port < 1 || port > LARGEST_PORT) {
      throw new IllegalArgumentException("a port is from 1 to 65535: port=" + port);
    }
    List<InetSocketAddress> addresses =
        HappyEyeballs.interleaved(resolve(host)).stream()
            .map(address -> new InetSocketAddress(address, port))
            .toList();
    WaitForIO io = WaitForIO.on(scheduler);
    return new HappyEyeballs<TcpSocket>(scheduler, ATTEMPT_DELAY, io::connect)
        .race(addresses)
        .openedHere();
  }

  /// Does nothing: lookups end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Lets the threads end. An abandoned lookup may run until the system gives it up.
  @Override
  public void close() {
    workers.close();
  }
}
