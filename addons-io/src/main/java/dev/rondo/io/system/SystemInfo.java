package dev.rondo.io.system;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// A snapshot of the machine.
///
/// @param host its name
/// @param operatingSystem its name and version
/// @param architecture of the processor, in the JVM's terms
/// @param cpus how many processors this JVM may use
/// @param load how many threads ran or were ready, as an average of the last minute; empty if
///   unknown
/// @param memoryBytes the memory of the machine; empty if unknown
/// @param availableBytes how much of it is available without swapping; empty if unknown
/// @param heapBytes how much of the JVM's heap is used
/// @param largestHeapBytes how large the heap may become
/// @param interfaces the network interfaces
public record SystemInfo(
    String host,
    String operatingSystem,
    String architecture,
    int cpus,
    OptionalDouble load,
    OptionalLong memoryBytes,
    OptionalLong availableBytes,
    long heapBytes,
    long largestHeapBytes,
    List<Interface> interfaces) {

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
  private static final long KIB = 1024;

  /// A network interface.
  ///
  /// @param name the system's name for it: `eth0`
  /// @param isUp whether it works
  /// @param isLoopback whether it leads back to this machine
  /// @param mtuBytes the largest packet
  /// @param addresses of this machine on it
  public record Interface(
      String name, boolean isUp, boolean isLoopback, int mtuBytes, List<InetAddress> addresses) {

    /// Copies the list.
    public Interface {
      addresses = List.copyOf(addresses);
    }
  }

  /// Copies the list.
  public SystemInfo {
    interfaces = List.copyOf(interfaces);
  }

  /// {@return the current values} Asks the kernel and no name server, and takes less than a
  /// millisecond. Never a suspension point. Any thread.
  ///
  /// @throws IOException if the interfaces cannot be listed
  public static SystemInfo now() throws IOException {
    var os = ManagementFactory.getOperatingSystemMXBean();
    Runtime runtime = Runtime.getRuntime();
    List<String> memory = lines(MEMORY);
    double load = os.getSystemLoadAverage();
    return new SystemInfo(
        hostName(),
        os.getName() + " " + os.getVersion(),
        os.getArch(),
        os.getAvailableProcessors(),
        load < 0 ? OptionalDouble.empty() : OptionalDouble.of(load),
        field(memory, "MemTotal"),
        field(memory, "MemAvailable"),
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        networkInterfaces());
  }

  private static String hostName() {
    List<String> kernel = lines(HOST);
    return !kernel.isEmpty() && !kernel.getFirst().isBlank()
        ? kernel.getFirst().strip()
        : Optional.ofNullable(System.getenv("HOSTNAME"))
            .or(() -> Optional.ofNullable(System.getenv("COMPUTERNAME")))
            .orElse("localhost");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException notThisSystem) {
      return List.of();
    }
  }

  /// The value of a line of `/proc/meminfo`: `MemTotal: 32768 kB`. Empty for any other line.
  static OptionalLong field(List<String> lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name + ":")) {
        String[] words = line.substring(name.length() + 1).strip().split("\\s+", -1);
        try {
          long value = Long.parseLong(words[0]);
          return value < 0 || value > Long.MAX_VALUE / KIB
              ? OptionalLong.empty()
              : OptionalLong.of(value * KIB);
        } catch (NumberFormatException e) {
          return OptionalLong.empty();
        }
      }
    }
    return OptionalLong.empty();
  }

  private static List<Interface> networkInterfaces() throws IOException {
    var all = new ArrayList<Interface>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      try {
        all.add(
            new Interface(
                each.getName(),
                each.isUp(),
                each.isLoopback(),
                each.getMTU(),
                Collections.list(each.getInetAddresses())));
      } catch (SocketException itIsGone) {
        // it was removed between two calls
      }
    }
    return all;
  }
}
