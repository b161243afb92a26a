package dev.rondo.benchmarks.run;

import com.google.common.base.Splitter;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The versions of the libraries that Rondo is compared with, by the names of their archives.
final class PeerVersions {

  private static final List<String> PEERS =
      List.of(
          "kotlinx-coroutines-core-jvm",
          "netty-common",
          "vertx-core",
          "agrona",
          "jctools-core-jdk11",
          "undertow-core",
          "jetty-server",
          "helidon-webserver",
          "ktor-network-jvm",
          "jgroups");

  private static final Pattern ARCHIVE = Pattern.compile("(.+?)-(\\d.*)\\.jar");

  private PeerVersions() {}

  /// {@return the names and versions of the libraries on a class path}
  static String of(String classPath) {
    List<Matcher> archives =
        Splitter.on(File.pathSeparatorChar)
            .splitToStream(classPath)
            .map(entry -> ARCHIVE.matcher(Path.of(entry).getFileName().toString()))
            .filter(Matcher::matches)
            .toList();
    return PEERS.stream()
        .map(peer -> version(peer, archives))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> version(String peer, List<Matcher> archives) {
    return archives.stream()
        .filter(archive -> archive.group(1).equals(peer))
        .map(archive -> peer + " " + archive.group(2))
        .findFirst();
  }
}
