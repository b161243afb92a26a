package dev.rondo.cluster;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.logging.Log;
import org.jgroups.logging.LogFactory;
import org.jgroups.protocols.TCP;

/// TCP by JGroups, which at each leave may log two failures that are none: JGroups 5.5.7 closes a
/// connection on one thread while another reads from it, and says goodbye on one that is broken.
final class JGroupsTransport extends TCP {

  private static final String READING = "%s: failed handling message: %s";
  private static final String GOODBYE = "%s: failed sending graceful close to %s: %s";

  /// How reading fails on a connection that this side has closed.
  private static final String CLOSED = "Stream closed";

  JGroupsTransport() {
    var _ = setId(ClassConfigurator.getProtocolId(TCP.class));
  }

  @Override
  public void start() throws Exception {
    super.start();
    var _ = srv.log(quiet(LogFactory.getLog(TCP.class)));
  }

  /// {@return a log that passes on what another one has to log, but for those failures}
  static Log quiet(Log log) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (proxy, method, arguments) ->
                arguments != null && isUsual(arguments) ? null : method.invoke(log, arguments));
  }

  /// Whether arguments are a format, and what belongs there.
  private static boolean isUsual(Object[] arguments) {
    return GOODBYE.equals(arguments[0])
        || (arguments.length == 2
            && READING.equals(arguments[0])
            && arguments[1] instanceof Object[] parts
            && Arrays.asList(parts).contains(CLOSED));
  }
}
