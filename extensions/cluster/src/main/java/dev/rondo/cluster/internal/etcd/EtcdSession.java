package dev.rondo.cluster.internal.etcd;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.JoinFailures;
import dev.rondo.cluster.internal.engine.Saved;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.condition.Signal;
import dev.rondo.grpc.GrpcStream;
import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.time.WaitForTime;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A log of commands in etcd, which orders them: an entry is a key of its own, written once, and
/// its place is the revision of that write. Each node watches the keys, and applies the entries by
/// their revisions.
///
/// | key | value |
/// |---|---|
/// | `rondo/cluster/e/session/number` | an entry: commands that a node has proposed together |
/// | `rondo/cluster/h` | the newest state: the revision that it has all entries of, how many parts, and where they are |
/// | `rondo/cluster/s/revision-session/number` | a part of a state |
/// | `rondo/cluster/i` | the version of the commands, and the session that wrote here first: etcds that were started alike have one identity |
///
/// **Reading.** At each connection all keys are read, as of one revision: the state if it is newer
/// than what this node has, and the entries since; then the keys are watched from the next revision
/// on. So it does not matter how long a node was away, or what etcd has compacted.
///
/// **Writing.** One call at a time, of all that was proposed meanwhile. If it is not answered the
/// entry may be there or not, or come later. The proposer repeats its commands, by the same
/// numbers, and they are applied once.
///
/// **A state** takes the place of the entries that it has. Its parts are written first; then the
/// head, if no other node has written one since; then the entries and earlier states are deleted.
/// Entries that it has and that are still there are skipped by all that read it.
///
/// It runs where its [EtcdSeat] is.
public final class EtcdSession {

  /// The default limit of etcd for a request is 1.5 MiB.
  static final int MOST_ENTRY_BYTES = 1 << 20;

  private static final int PART_BYTES = 1 << 19;

  /// A node writes a new state when the entries exceed this and the size of the last state, or
  /// [#MOST_ENTRIES].
  private static final long MOST_LOG_BYTES = 1 << 20;

  private static final int MOST_ENTRIES = 2_000;

  /// Of one transaction; etcd allows 128.
  private static final int DELETIONS = 100;

  private static final int PAGE_KEYS = 100;

  private static final String VERSION = Command.VERSION + "/";

  private static final Duration PAUSE = Duration.ofMillis(200);

  /// How long a server may take for its first answer while this node joins, at most.
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

  /// A connection that has nothing to write is tried out so often.
  private static final Duration PROBE = Duration.ofSeconds(2);

  private final ClusterConfig config;
  private final EtcdServers servers;
  private final Engine.Listener listener;
  private final Engine.Machine machine;
  private final EtcdSeat seat;
  private final String id;
  private final String prefix;
  private final String end;
  private final Queue<byte[]> proposed = new ConcurrentLinkedQueue<>();

  /// Done when all has been read; fails if this node cannot take part.
  private final CompletableFuture<@Nullable Void> joined = new CompletableFuture<>();

  private volatile @Nullable Scheduler scheduler;
  private volatile boolean connected;
  private volatile boolean ended;

  /// Why there is no connection.
  private volatile String trouble = "no answer";

  // Of the scheduler's thread.

  /// Where it is connected, or tries to be.
  private @Nullable InetSocketAddress tried;

  private @Nullable CancelScope life;
  private @Nullable Signal<Boolean> news;

  private record Entry(long revision, int bytes) {}

  /// The entries that are there.
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private long entryBytes;

  /// All entries up to this revision are applied.
  private long applied;

  private long stateRevision;
  private long stateBytes;

  /// When the head was written; 0 if it is not there.
  private long headRevision;

  // Written before it has joined.

  private long etcdId;

  /// Empty if it is not known.
  private String logId = "";

  // Of the scheduler's thread.

  private long lastEntry;
  private boolean compacting;

  /// Whether etcd can be read and not written to, as without space.
  private boolean writesFail;

  EtcdSession(
      ClusterConfig config,
      EtcdServers servers,
      Engine.Listener listener,
      Engine.Machine machine,
      EtcdSeat seat) {
    this.config = config;
    this.seat = seat;
    this.id = seat.newId();
    this.servers = servers;
    this.listener = listener;
    this.machine = machine;
    String root = "rondo/" + URLEncoder.encode(config.cluster(), StandardCharsets.UTF_8);
    this.prefix = root + "/";
    this.end = root + "0"; // what follows the slash
  }

  // Any thread.

  void start() {
    seat.start("etcd-" + config.node(), this::live, this::broken);
  }

  /// Waits until all has been read.
  void awaitJoined(long nanos) throws ClusterException, InterruptedException {
    try {
      seat.await(joined, nanos);
    } catch (TimeoutException e) {
      throw new ClusterException(
          "node '%s' cannot join cluster '%s': after %s there is no etcd at %s: %s"
              .formatted(
                  config.node(),
                  config.cluster(),
                  ReportText.duration(config.limits().join()),
                  servers.addresses(),
                  trouble),
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ClusterException failure
          ? failure
          : JoinFailures.other(config, e);
    }
  }

  /// {@return what tells this etcd from others} Once it has joined.
  String identity() {
    return "etcd %016x/%s".formatted(etcdId, logId);
  }

  void requireOpen() throws ClusterException {
    if (ended) {
      throw new ClusterException(
          "node '%s' has lost its etcd again".formatted(config.node()), null);
    }
  }

  /// Commands are lost while there is no connection.
  void propose(byte[] command) {
    Scheduler own = scheduler;
    if (connected && own != null) {
      proposed.add(command);
      var _ = own.post(() -> requireNonNull(news).signalAll(true));
    }
  }

  /// Ends, and returns when it has.
  void end() {
    cancel();
    if (!seat.awaitEnd(config.limits().join())) {
      listener.failed(
          new ClusterException(
              "the session of node '%s' with etcd at %s does not end"
                  .formatted(config.node(), servers.addresses()),
              null));
    }
  }

  /// Ends soon.
  void cancel() {
    ended = true;
    joined.completeExceptionally(
        new ClusterException("node '" + config.node() + "' no longer joins", null));
    Scheduler own = scheduler;
    if (own != null) {
      var _ = own.post(() -> requireNonNull(life).cancel("the node leaves"));
    }
  }

  // On the scheduler.

  private void live(Scheduler own) {
    CancelScope scope = own.newScope("etcd");
    life = scope;
    news = new Signal<>(own, "commands were proposed");
    scheduler = own;
    try {
      scope.run(() -> stayConnected(own));
    } catch (CancellationException e) {
      if (!scope.isCancelled()) {
        throw e;
      }
    }
  }

  /// A connection that fails while the node leaves is nothing.
  private void broken(Throwable failure) {
    if (!ended) {
      fail(
          new ClusterException(
              "node '%s' has left: its session of etcd has failed".formatted(config.node()),
              failure));
    }
  }

  private void stayConnected(Scheduler own) {
    for (int attempt = 0; !ended; attempt++) {
      InetSocketAddress server = servers.addresses().get(attempt % servers.addresses().size());
      tried = server;
      try (EtcdConnection connection =
          EtcdConnection.open(own, servers, seat.resolve(own, server), firstAnswer())) {
        use(own, connection);
      } catch (ClusterException e) {
        fail(e);
        return;
      } catch (StatusRuntimeException
          | ClosedException
          | TimedOutException
          | TaskFailedException
          | IOException e) {
        writesFail |= isWithoutSpace(e);
        failed(e);
      }
      disconnected();
      if (!ended) {
        WaitForTime.on(own).sleep(PAUSE);
      }
    }
  }

  /// In a JVM that has just started the first connection takes 2 s of a processor, for the classes
  /// of gRPC and TLS. Later, leases depend on the next server.
  private Duration firstAnswer() {
    Duration answer = EtcdConnection.ANSWER;
    long share = Engine.nanos(config.limits().join()) / (2L * servers.addresses().size());
    return joined.isDone()
        ? answer
        : Duration.ofNanos(Math.clamp(share, answer.toNanos(), FIRST_ANSWER.toNanos()));
  }

  private static boolean isWithoutSpace(Exception failure) {
    return Status.fromThrowable(failure).getCode() == Status.Code.RESOURCE_EXHAUSTED;
  }

  private void failed(Exception failure) {
    trouble = tried + ": " + reason(failure);
    listener.quorumChanged(trouble);
  }

  private static String reason(Throwable failure) {
    if (failure instanceof TimedOutException) {
      return "no answer";
    }
    Throwable cause = failure.getCause();
    String own = failure instanceof TaskFailedException ? "" : "" + failure.getMessage();
    return cause == null ? own : own.isEmpty() ? reason(cause) : own + ": " + reason(cause);
  }

  private void disconnected() {
    if (connected) {
      connected = false;
      proposed.clear();
      listener.leaderChanged(false);
    }
  }

  private void fail(ClusterException failure) {
    ended = true;
    connected = false;
    if (!joined.completeExceptionally(failure)) {
      listener.failed(failure);
    }
  }

  private void use(Scheduler own, EtcdConnection connection) throws ClusterException, IOException {
    long read = readAll(connection);
    if (logId.isEmpty()) {
      byte[] first = (VERSION + id).getBytes(StandardCharsets.UTF_8);
      var _ = connection.putIf(prefix + "i", 0, first);
      use(own, connection);
      return;
    }
    compacting = false;
    TaskGroup<Void> group = own.newGroup("etcd");
    group.run(() -> {
      group.spawn("etcd entries", () -> writeAll(own, connection));
      watch(connection, read + 1, () -> group.spawn("etcd state", () -> compact(connection)));
    });
  }

  // Reading.

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Key(String name, long revision, byte[] value) {

    static Key of(EtcdMessage pair) {
      return new Key(pair.text(1), pair.number(3), pair.bytes(5));
    }
  }

  private boolean isEntry(String key) {
    return key.startsWith(prefix + "e/");
  }

  /// Returns the revision that all was read of.
  private long readAll(EtcdConnection connection) throws ClusterException, IOException {
    Map<String, Key> keys = new LinkedHashMap<>();
    long revision = 0;
    String from = prefix;
    for (boolean more = true; more; ) {
      EtcdMessage page = connection.range(from, end, PAGE_KEYS, revision);
      if (revision == 0) {
        EtcdMessage header = page.message(1);
        requireSameEtcd(header);
        revision = header.number(3);
      }
      for (EtcdMessage each : page.messages(2)) {
        Key key = Key.of(each);
        keys.put(key.name(), key);
        from = key.name() + "\0";
      }
      more = page.flag(3);
    }
    requireSameLog(keys.get(prefix + "i"));
    restore(keys);
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      if (!keys.containsKey(each.getKey())) {
        requireCovered(each.getValue());
      }
    }
    entries.clear();
    entryBytes = 0;
    for (Key each :
        keys.values().stream().sorted(Comparator.comparingLong(Key::revision)).toList()) {
      if (isEntry(each.name())) {
        added(each);
      }
    }
    return revision;
  }

  private void requireSameEtcd(EtcdMessage header) throws ClusterException {
    if (etcdId != 0 && header.number(1) != etcdId) {
      throw lost("has another identity");
    }
    etcdId = header.number(1);
    if (header.number(3) < applied) {
      throw lost("has gone back to an earlier revision");
    }
  }

  private void requireSameLog(@Nullable Key found) throws ClusterException {
    String identity = found == null ? "" : new String(found.value(), StandardCharsets.UTF_8);
    if (!logId.isEmpty() && !identity.equals(logId)) {
      throw lost("has another identity");
    }
    if (!identity.isEmpty() && !identity.startsWith(VERSION)) {
      throw new ClusterException(
          "node '%s' speaks version %s of what nodes agree on, but cluster '%s' has %s in its etcd"
              .formatted(config.node(), Command.VERSION, config.cluster(), identity),
          null);
    }
    logId = identity;
  }

  private ClusterException lost(String what) {
    return new ClusterException(
        "node '%s' has left: the etcd of cluster '%s' %s, so agreements may be lost"
            .formatted(config.node(), config.cluster(), what),
        null);
  }

  /// An entry is not there any more.
  private void requireCovered(Entry gone) throws ClusterException {
    if (gone.revision() > stateRevision) {
      throw lost("has lost entries");
    }
  }

  private void restore(Map<String, Key> keys) throws ClusterException, IOException {
    Key head = keys.get(prefix + "h");
    if (head == null) {
      if (headRevision > 0) {
        throw lost("has no state any more");
      }
      return;
    }
    EtcdMessage written = EtcdMessage.decoded(head.value());
    long covered = written.number(1);
    if (covered < stateRevision) {
      throw lost("has an earlier state");
    }
    headRevision = head.revision();
    stateRevision = covered;
    var state = new ByteArrayOutputStream();
    for (int i = 0; i < written.number(2); i++) {
      Key part = keys.get(part(written.text(3), i));
      if (part == null) {
        throw lost("lacks a part of its state");
      }
      state.writeBytes(part.value());
    }
    stateBytes = state.size();
    if (covered > applied) {
      machine.restore(state.toByteArray());
      applied = covered;
    }
  }

  private static String part(String place, int index) {
    return "%s%06d".formatted(place, index);
  }

  /// There is an entry.
  private void added(Key entry) throws IOException {
    entries.put(entry.name(), new Entry(entry.revision(), entry.value().length));
    entryBytes += entry.value().length;
    if (entry.revision() > applied) {
      var in = new DataInputStream(new ByteArrayInputStream(entry.value()));
      while (in.available() > 0) {
        machine.apply(requireNonNull(Saved.read(in)));
      }
      applied = entry.revision();
    }
  }

  private void watch(EtcdConnection connection, long from, Runnable compaction)
      throws ClusterException, IOException {
    try (GrpcStream<EtcdMessage, EtcdMessage> watch = connection.watch(prefix, end, from)) {
      while (true) {
        EtcdMessage response = watch.responses().receive();
        if (response.flag(4)) {
          throw Status.UNAVAILABLE
              .withDescription("the watch has ended: " + response.text(6))
              .asRuntimeException();
        }
        if (response.flag(3)) {
          connected = true;
          joined.complete(null);
          if (!writesFail) {
            listener.quorumChanged("");
          }
          listener.leaderChanged(true);
        }
        boolean own = false;
        for (EtcdMessage each : response.messages(11)) {
          own |= changed(each.flag(1), Key.of(each.message(2)));
        }
        if (own && isLong() && !compacting) {
          compacting = true;
          compaction.run();
        }
      }
    }
  }

  /// Returns whether it is an entry of this node.
  private boolean changed(boolean deleted, Key key) throws ClusterException, IOException {
    if (key.name().equals(prefix + "h")) {
      if (deleted) {
        throw lost("has no state any more");
      }
      EtcdMessage written = EtcdMessage.decoded(key.value());
      headRevision = key.revision();
      stateRevision = written.number(1);
      stateBytes = written.number(4);
    } else if (key.name().equals(prefix + "i")) {
      requireSameLog(deleted ? null : key);
    } else if (isEntry(key.name())) {
      if (!deleted) {
        added(key);
        return key.name().startsWith(prefix + "e/" + id);
      }
      Entry gone = entries.remove(key.name());
      if (gone != null) {
        requireCovered(gone);
        entryBytes -= gone.bytes();
      }
    }
    return false;
  }

  // Writing.

  private void writeAll(Scheduler own, EtcdConnection connection) throws IOException {
    while (true) {
      byte[] entry = nextEntry();
      if (entry.length == 0) {
        awaitNews(own, connection);
      } else {
        write(own, connection, entry);
      }
    }
  }

  /// Writes an entry. If etcd has no space for it, the entry is proposed again.
  private void write(Scheduler own, EtcdConnection connection, byte[] entry) {
    try {
      var _ = connection.putIf("%se/%s/%d".formatted(prefix, id, ++lastEntry), 0, entry);
    } catch (StatusRuntimeException e) {
      if (!isWithoutSpace(e)) {
        throw e;
      }
      writesFail = true;
      failed(e);
      WaitForTime.on(own).sleep(PROBE);
      proposed.clear();
      return;
    }
    if (writesFail) {
      writesFail = false;
      listener.quorumChanged("");
    }
  }

  /// Looks now and then whether etcd answers; a range needs its majority as well. After a write
  /// that it had no space for, an entry without commands shows whether it has.
  private void awaitNews(Scheduler own, EtcdConnection connection) {
    try {
      var _ = own.await(requireNonNull(news), PROBE);
    } catch (TimedOutException e) {
      if (writesFail) {
        write(own, connection, new byte[0]);
      } else {
        var _ = connection.range(prefix + "h", "", 1, 0);
      }
    }
  }

  private byte[] nextEntry() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    for (byte[] next; (next = proposed.peek()) != null; ) {
      if (bytes.size() > 0 && bytes.size() + Integer.BYTES + next.length > MOST_ENTRY_BYTES) {
        break;
      }
      Saved.write(out, next);
      var _ = proposed.poll();
    }
    return bytes.toByteArray();
  }

  private boolean isLong() {
    return entryBytes > Math.max(MOST_LOG_BYTES, stateBytes) || entries.size() > MOST_ENTRIES;
  }

  /// The deletion of states may come late, when another node has written one, or writes it: so only
  /// those are deleted that have less, and are no newest state ever again.
  private void compact(EtcdConnection connection) throws IOException {
    long covered = applied;
    if (covered == stateRevision) {
      compacting = false; // another node has done it
      return;
    }
    long head = headRevision;
    byte[] state = machine.save();
    List<String> old = List.copyOf(entries.keySet());
    String states = prefix + "s/";
    String place = "%s%016x-%s/".formatted(states, covered, id);
    int parts = 0;
    for (int from = 0; from < state.length; from += PART_BYTES) {
      byte[] part = Arrays.copyOfRange(state, from, Math.min(state.length, from + PART_BYTES));
      var _ = connection.putIf(part(place, parts), 0, part);
      parts++;
    }
    EtcdMessage written =
        new EtcdMessage().with(1, covered).with(2, parts).with(3, place).with(4, state.length);
    if (!connection.putIf(prefix + "h", head, written.encoded())) {
      connection.delete(List.of(EtcdConnection.deletion(place, after(place))));
    } else {
      connection.delete(List.of(EtcdConnection.deletion(states, place)));
      for (int from = 0; from < old.size(); from += DELETIONS) {
        var deletions = new ArrayList<EtcdMessage>();
        for (String each : old.subList(from, Math.min(old.size(), from + DELETIONS))) {
          deletions.add(EtcdConnection.deletion(each, ""));
        }
        connection.delete(deletions);
      }
    }
    compacting = false;
  }

  /// Returns the end of the keys that begin like a path.
  private static String after(String path) {
    return path.substring(0, path.length() - 1) + "0";
  }
}
