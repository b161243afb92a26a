package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Names to addresses. The JDK's resolver blocks, so it is asked on another thread.
final class Names {

  private Names() {}

  static List<InetAddress> resolve(Scheduler scheduler, String host) throws UnknownHostException {
    try {
      return List.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException notNumeric) {
      // a name, then
    }
    try {
      return List.of(scheduler.blocking(() -> InetAddress.getAllByName(host)));
    } catch (UnknownHostException e) {
      var unknown = new UnknownHostException("unknown host '" + host + "': " + e.getMessage());
      unknown.initCause(e);
      throw unknown;
    } catch (Exception e) {
      throw Failures.<RuntimeException>rethrow(e);
    }
  }
}
