package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.scheduler.Scheduler;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The message for a program that lacks an optional library, in a JVM without it: the JVM's
/// verifier loads a class before the code that names it runs.
class MissingLibraryTest {

  /// The entry points that require a library.
  enum Entry {
    TLS_CLIENT("tls-channel", "com.github.marianobarrios:tls-channel") {
      @Override
      Object use(Scheduler scheduler) throws Exception {
        return new TlsClient(scheduler, SSLContext.getDefault());
      }
    },
    TLS_SERVER("tls-channel", "com.github.marianobarrios:tls-channel") {
      @Override
      Object use(Scheduler scheduler) throws Exception {
        return new TlsServer(scheduler, SSLContext.getDefault());
      }
    },
    TLS_SERVER_FOR_NAMES("tls-channel", "com.github.marianobarrios:tls-channel") {
      @Override
      Object use(Scheduler scheduler) {
        return new TlsServer(scheduler, name -> Optional.empty());
      }
    },
    DNS_CLIENT("dnsjava", "dnsjava:dnsjava") {
      @Override
      Object use(Scheduler scheduler) {
        return new DnsClient(
            scheduler,
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), DnsClient.PORT)));
      }
    },
    TERMINAL("jline", "org.jline:jline") {
      @Override
      Object use(Scheduler scheduler) throws Exception {
        return TaskTerminal.open(scheduler);
      }
    },
    TERMINAL_OVER_STREAMS("jline", "org.jline:jline") {
      @Override
      Object use(Scheduler scheduler) throws Exception {
        return TaskTerminal.open(
            scheduler, "dumb", InputStream.nullInputStream(), OutputStream.nullOutputStream());
      }
    };

    private final String jar;
    private final String dependency;

    Entry(String jar, String dependency) {
      this.jar = jar;
      this.dependency = dependency;
    }

    abstract Object use(Scheduler scheduler) throws Exception;
  }

  /// Uses the entry of that name, and prints the outcome.
  static final class User {

    private User() {}

    static void main(String[] args) {
      try (Scheduler scheduler = Scheduler.create()) {
        scheduler.spawn(() -> {
          try {
            System.out.println("outcome: has " + Entry.valueOf(args[0]).use(scheduler));
          } catch (Throwable e) {
            System.out.println("outcome: " + e);
          }
        });
        scheduler.start();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void entry_withoutItsLibrary_saysWhatToAdd(Entry entry) throws Exception {
    List<String> all =
        Splitter.on(File.pathSeparatorChar).splitToList(System.getProperty("java.class.path"));
    List<String> without =
        all.stream()
            .filter(it -> !Path.of(it).getFileName().toString().startsWith(entry.jar + "-"))
            .toList();
    assertTrue(without.size() < all.size(), () -> entry.jar + " is nowhere in " + all);
    String said =
        ChildJvm.said(
            List.of(), String.join(File.pathSeparator, without), User.class, entry.name());
    String outcome =
        said.lines().filter(it -> it.startsWith("outcome: ")).collect(Collectors.joining());
    assertTrue(
        outcome.matches(
            "outcome: java.lang.IllegalStateException: .* require a library that is missing: add"
                + " the dependency "
                + entry.dependency
                + ":.*"),
        said);
  }
}
