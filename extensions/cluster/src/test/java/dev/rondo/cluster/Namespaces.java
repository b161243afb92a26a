package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Network namespaces of Linux on one bridge, that has a namespace of its own: what a process in
/// one of them hears from another can be cut, in each direction.
final class Namespaces {

  private static final String SUBNET = "10.77.0.";

  private final List<String> names;
  private final String begin = "rondo" + ProcessHandle.current().pid() + "-";
  private final String hub = begin + "hub";

  /// Makes one for each name. The test is skipped where that is not possible.
  Namespaces(List<String> names) throws Exception {
    assumeTrue(arePossible(), "this test needs Linux, its root, ip and nft");
    this.names = List.copyOf(names);
    run("ip netns add " + hub);
    run("ip -n %s link add bridge type bridge".formatted(hub));
    run("ip -n %s link set bridge up".formatted(hub));
    for (String each : names) {
      run("ip netns add " + space(each));
      run(
          "ip -n %s link add name port-%s type veth peer name eth0 netns %s"
              .formatted(hub, each, space(each)));
      run("ip -n %s link set port-%s master bridge up".formatted(hub, each));
      run("ip -n %s addr add %s/24 dev eth0".formatted(space(each), address(each)));
      run("ip -n %s link set eth0 up".formatted(space(each)));
      run("ip -n %s link set lo up".formatted(space(each)));
      within(each, "nft add table inet cuts");
      within(each, "nft add chain inet cuts in { type filter hook input priority 0 ; }");
    }
  }

  private static boolean arePossible() throws InterruptedException {
    String probe = "rondo" + ProcessHandle.current().pid();
    try {
      boolean isAdded = exit("ip netns add " + probe) == 0;
      boolean hasCuts = exit("ip netns exec " + probe + " nft add table inet cuts") == 0;
      boolean isDeleted = exit("ip netns delete " + probe) == 0;
      return isAdded && hasCuts && isDeleted;
    } catch (IOException e) {
      return false;
    }
  }

  private String space(String name) {
    return begin + name;
  }

  String address(String name) {
    return SUBNET + (1 + names.indexOf(name));
  }

  /// {@return what is put before a command that is to run there}
  List<String> prefix(String name) {
    return List.of("ip", "netns", "exec", space(name));
  }

  /// The one hears nothing more of the other.
  void cut(String from, String to) throws Exception {
    within(to, "nft add rule inet cuts in ip saddr " + address(from) + " drop");
  }

  void heal() throws Exception {
    for (String each : names) {
      within(each, "nft flush chain inet cuts in");
    }
  }

  private void within(String name, String command) throws Exception {
    run(String.join(" ", prefix(name)) + " " + command);
  }

  private static void run(String command) throws Exception {
    Process process = process(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> command + ": " + said);
  }

  private static int exit(String command) throws IOException, InterruptedException {
    return process(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static ProcessBuilder process(String command) {
    return new ProcessBuilder(Arrays.asList(command.split(" ", -1)));
  }

  void delete() throws Exception {
    for (String each : names) {
      run("ip netns delete " + space(each));
    }
    run("ip netns delete " + hub);
  }
}
