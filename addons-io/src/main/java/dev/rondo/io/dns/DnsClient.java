package dev.rondo.io.dns;

import dev.rondo.io.WaitForIO;
import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;

/// Queries name servers over UDP (RFC 1035). Each answer has a time limit, after which the query is
/// sent again. An answer that does not fit into a datagram is requested over TCP.
///
/// Each query has an unpredictable id and a port of its own. Answers from another server, or with
/// another id or question, are ignored (RFC 5452). There is no EDNS, no DNSSEC and no cache. The
/// messages are dnsjava's.
///
/// Immutable. Its queries are confined to the scheduler's thread; any number may run at a time.
public final class DnsClient {

  /// Where name servers listen.
  public static final int PORT = 53;

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int ATTEMPTS = 3;

  private final Scheduler scheduler;
  private final List<InetSocketAddress> servers;
  private final Duration timeout;
  private final int attempts;

  private DnsClient(
      Scheduler scheduler, List<InetSocketAddress> servers, Duration timeout, int attempts) {
    this.scheduler = scheduler;
    this.servers = servers;
    this.timeout = timeout;
    this.attempts = attempts;
  }

  /// Makes a client that waits 2 s for an answer and queries each server three times. Never a
  /// suspension point.
  ///
  /// @param scheduler whose tasks send queries
  /// @param servers at least one, resolved; queried in this order
  /// @throws IllegalArgumentException if there is no server, or one is not resolved
  /// @throws IllegalStateException if dnsjava is missing; the message says what to add
  public DnsClient(Scheduler scheduler, List<InetSocketAddress> servers) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(servers, "servers is null");
    OptionalLibrary.DNSJAVA.require();
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("at least one name server is needed");
    }
    for (InetSocketAddress server : servers) {
      Objects.requireNonNull(server, "server is null");
      if (server.isUnresolved()) {
        throw new IllegalArgumentException(
            "a name server's address must be resolved: server=" + server);
      }
    }
    this(scheduler, List.copyOf(servers), TIMEOUT, ATTEMPTS);
  }

  /// {@return the same client with another limit for each answer}
  ///
  /// @param limit more than zero
  /// @throws IllegalArgumentException if `limit` is zero or negative
  public DnsClient timeout(Duration limit) {
    Objects.requireNonNull(limit, "limit is null");
    if (!limit.isPositive()) {
      throw new IllegalArgumentException(
          "timeout must be more than zero: timeout=" + ReportText.duration(limit));
    }
    return new DnsClient(scheduler, servers, limit, attempts);
  }

  /// {@return the same client with another number of attempts}
  ///
  /// @param times how often each server is queried, at least one
  /// @throws IllegalArgumentException if `times` is less than one
  public DnsClient attempts(int times) {
    if (times < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: attempts=" + times);
    }
    return new DnsClient(scheduler, servers, timeout, times);
  }

  /// Queries the records of a name. Aliases within the answer are followed. *Always* a suspension
  /// point.
  ///
  /// @param name taken as absolute, with or without a dot at its end
  /// @param type which records: `org.xbill.DNS.Type.A`, `AAAA`, `MX`, `TXT`, ...
  /// @return the records, in the server's order; empty if the name exists and has none of that type
  /// @throws UnknownHostException if the name does not exist
  /// @throws DnsTimeoutException if no server answered in time; requires a timer
  /// @throws DnsException if the servers answered with errors; the message has the last one
  /// @throws IOException if the servers could not be reached; earlier failures are suppressed
  /// @throws IllegalArgumentException if the name or the type is invalid
  @SuppressWarnings("exports") // a caller that reads records requires dnsjava's module
  public List<Record> query(String name, int type) throws IOException {
    Objects.requireNonNull(name, "name is null");
    return query(DnsQuestion.of(name, type));
  }

  private List<Record> query(DnsQuestion question) throws IOException {
    IOException failed = null;
    for (int attempt = 0; attempt < attempts; attempt++) {
      for (InetSocketAddress server : servers) {
        try {
          return question.answersIn(query(server, question), server);
        } catch (UnknownHostException e) {
          throw e;
        } catch (IOException e) {
          if (failed != null) {
            e.addSuppressed(failed);
          }
          failed = e;
        }
      }
    }
    throw Objects.requireNonNull(failed, "there is at least one server and one attempt");
  }

  private Message query(InetSocketAddress server, DnsQuestion question) throws IOException {
    var exchange = new DnsExchange(scheduler, WaitForIO.on(scheduler), server, question);
    try {
      return scheduler.within(timeout, exchange::run);
    } catch (TimedOutException e) {
      if (!(e.getCause() instanceof TaskCancelled)) {
        throw e; // another limit, within the exchange
      }
      var timedOut =
          new DnsTimeoutException(exchange + ": no answer within " + ReportText.duration(timeout));
      timedOut.initCause(e);
      throw timedOut;
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
