package dev.rondo.simulation;

import dev.rondo.simulation.OutsideCalls.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which methods of the JDK leave a simulation.
///
/// Any thread.
final class OutsideRules {

  private record Rule(Kind kind, Pattern pattern) {}

  /// A method with its class and parameters; `*` stands for any text.
  private static final List<Rule> RULES =
      Stream.of(
              rules(
                  Kind.CLOCK,
                  "java.lang.System.currentTimeMillis()",
                  "java.lang.System.nanoTime()",
                  "java.time.*.now()",
                  "java.time.*.now(java.time.ZoneId)",
                  "java.time.Clock.system*",
                  "java.time.Clock.tick*(java.time.ZoneId)",
                  "java.time.InstantSource.system()",
                  "java.util.Date.<init>()",
                  "java.util.Calendar.getInstance*",
                  "java.util.GregorianCalendar.<init>()"),
              rules(
                  Kind.RANDOM,
                  "java.lang.*Math.random()",
                  "java.util.Random.<init>()",
                  "java.util.SplittableRandom.<init>()",
                  "java.util.concurrent.ThreadLocalRandom.current()",
                  "java.security.SecureRandom.<init>*",
                  "java.security.SecureRandom.getInstance*",
                  "java.util.UUID.randomUUID()",
                  "java.util.random.RandomGenerator.getDefault()",
                  "java.util.random.RandomGenerator.of(java.lang.String)",
                  "java.util.random.RandomGeneratorFactory.create()",
                  "java.util.Collections.shuffle(java.util.List)"),
              rules(
                  Kind.THREAD,
                  "java.lang.Thread.<init>*",
                  "java.lang.Thread.start*",
                  "java.lang.Thread.of*",
                  "java.util.Timer.<init>*",
                  "java.util.concurrent.Executors.new*",
                  "java.util.concurrent.*ThreadPoolExecutor.<init>*",
                  "java.util.concurrent.ForkJoinPool.<init>*",
                  "java.util.concurrent.ForkJoinPool.commonPool()",
                  "java.util.concurrent.CompletableFuture.delayedExecutor(*",
                  "java.util.concurrent.CompletableFuture.orTimeout(*",
                  "java.util.concurrent.CompletableFuture.completeOnTimeout(*",
                  "java.util.concurrent.StructuredTaskScope.open*",
                  "java.util.*.parallel()",
                  "java.util.*.parallelStream()",
                  "java.lang.ref.Cleaner.create*"),
              Stream.of(
                  new Rule(
                      Kind.THREAD,
                      Pattern.compile(
                          "java\\.util\\.concurrent\\.Complet\\w+\\.\\w+Async\\((?!.*Executor).*"))),
              rules(
                  Kind.BLOCKING,
                  "java.lang.Thread.sleep(*",
                  "java.lang.Thread.join(*",
                  "java.lang.Object.wait(*",
                  "java.util.concurrent.locks.LockSupport.park*",
                  "java.util.concurrent.locks.*Condition*.await*",
                  "java.util.concurrent.locks.*.tryLock(long,*",
                  "java.util.concurrent.CountDownLatch.await(*",
                  "java.util.concurrent.CyclicBarrier.await(*",
                  "java.util.concurrent.Exchanger.exchange(*",
                  "java.util.concurrent.Phaser.*wait*",
                  "java.util.concurrent.*Queue.put(*",
                  "java.util.concurrent.*Deque.put*",
                  "java.util.concurrent.*.take*()",
                  "java.util.concurrent.*.offer*(*java.util.concurrent.TimeUnit)",
                  "java.util.concurrent.*.poll*(*java.util.concurrent.TimeUnit)",
                  "java.util.concurrent.*Queue.transfer(*",
                  "java.util.concurrent.*Future.get(*",
                  "java.util.concurrent.*Task.get(*",
                  "java.util.concurrent.*Task.join()",
                  "java.util.concurrent.CompletableFuture.join()",
                  "java.util.concurrent.*.invoke*",
                  "java.util.concurrent.*.await*(long,*",
                  "java.util.concurrent.Semaphore.acquire*",
                  "java.util.concurrent.Semaphore.tryAcquire(*java.util.concurrent.TimeUnit)",
                  "java.util.concurrent.TimeUnit.sleep(*",
                  "java.lang.Process.waitFor(*"),
              rules(
                  Kind.NETWORK,
                  "java.net.Socket.<init>*",
                  "java.net.ServerSocket.<init>*",
                  "java.net.DatagramSocket.<init>*",
                  "java.net.MulticastSocket.<init>*",
                  "java.nio.channels.*SocketChannel.open(*",
                  "java.nio.channels.DatagramChannel.open(*",
                  "java.nio.channels.Selector.open()",
                  "java.nio.channels.Pipe.open()",
                  "java.nio.channels.spi.SelectorProvider.provider()",
                  "java.net.http.HttpClient.new*",
                  "java.net.URL.open*",
                  "java.net.InetAddress.getByName(*",
                  "java.net.InetAddress.getAllByName(*",
                  "java.net.InetAddress.getLocalHost()",
                  "java.net.InetSocketAddress.<init>(java.lang.String,*",
                  "java.net.NetworkInterface.getBy*",
                  "java.net.NetworkInterface.*etworkInterfaces()"),
              rules(
                  Kind.FILE,
                  "java.nio.file.Path.of(*",
                  "java.nio.file.Paths.get(*",
                  "java.nio.file.FileSystems.getDefault()",
                  "java.nio.file.Files.createTemp*",
                  "java.io.File.<init>*",
                  "java.io.File.createTempFile(*",
                  "java.io.FileInputStream.<init>*",
                  "java.io.FileOutputStream.<init>*",
                  "java.io.FileReader.<init>*",
                  "java.io.FileWriter.<init>*",
                  "java.io.RandomAccessFile.<init>*"),
              rules(
                  Kind.IDENTITY,
                  "java.lang.System.identityHashCode(*",
                  "java.lang.Object.hashCode()",
                  "java.util.IdentityHashMap.<init>*"),
              rules(Kind.PROCESS, "java.lang.ProcessBuilder.start()", "java.lang.Runtime.exec(*"))
          .flatMap(it -> it)
          .toList();

  private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  private OutsideRules() {}

  private static Stream<Rule> rules(Kind kind, String... patterns) {
    return Stream.of(patterns).map(pattern -> new Rule(kind, compiled(pattern)));
  }

  private static Pattern compiled(String pattern) {
    return Pattern.compile(
        Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }

  /// {@return whether a text is one of those that a pattern stands for}
  static boolean matches(String pattern, String text) {
    return PATTERNS.computeIfAbsent(pattern, OutsideRules::compiled).matcher(text).matches();
  }

  /// {@return why a call matters; null if it does not}
  ///
  /// @param called `java.lang.System.nanoTime()` for instance
  static @Nullable Kind kindOf(String called) {
    if (!called.startsWith("java.")) {
      return null;
    }
    for (Rule rule : RULES) {
      if (rule.pattern.matcher(called).matches()) {
        return rule.kind;
      }
    }
    return null;
  }
}
