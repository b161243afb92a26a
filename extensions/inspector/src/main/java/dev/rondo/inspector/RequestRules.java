package dev.rondo.inspector;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.util.List;
import java.util.Set;

/// Decides which requests are answered. A request is refused if it could change something, or if a
/// page of another site has sent it.
///
/// By *DNS rebinding*, a site can read the answers of a server on loopback. The site lets a name of
/// its own resolve to the loopback address, and its page in the browser then uses that name. The
/// header `Host` shows the name. So the header must be an address, which nothing can redirect,
/// `localhost`, or the name that the program has given.
final class RequestRules {

  private static final String LOCALHOST = "localhost";
  private static final Set<String> METHODS = Set.of("GET", "HEAD");

  /// The values with which browsers mark requests of the page itself and of the user.
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final String name;

  /// @param name the name of the address that the server listens on
  RequestRules(String name) {
    this.name = name;
  }

  void check(Request request) throws Refusal {
    checkMethod(request.method());
    checkHost(request.values("host"));
  }

  private static void checkMethod(String method) throws Refusal {
    if (!METHODS.contains(method)) {
      throw new Refusal(405, "only GET and HEAD: the inspector changes nothing");
    }
  }

  /// @param hosts the values of the header
  private void checkHost(List<String> hosts) throws Refusal {
    if (hosts.size() != 1) {
      throw new Refusal(400, "a request has one header 'Host', this one has " + hosts.size());
    }
    String host = hostOf(hosts.getFirst());
    if (!host.equalsIgnoreCase(LOCALHOST)
        && !host.equalsIgnoreCase(name)
        && !InetAddresses.isInetAddress(host)) {
      throw new Refusal(
          403,
          "this host is not known here: use the address of the inspector, as in"
              + " http://127.0.0.1, or give its name to inspector(InetSocketAddress)");
    }
  }

  private static String hostOf(String header) throws Refusal {
    try {
      return HostAndPort.fromString(header).getHost();
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, "the header 'Host' is malformed");
    }
  }

  /// @param sites the values of the header `Sec-Fetch-Site`, which every present browser sends
  void checkSite(List<String> sites) throws Refusal {
    if (!OWN_SITES.containsAll(sites)) {
      throw new Refusal(403, "a page of another site has asked");
    }
  }
}
