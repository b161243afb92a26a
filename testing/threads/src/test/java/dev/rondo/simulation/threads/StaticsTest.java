package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.acme.threads.Statics;
import dev.rondo.simulation.World;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What a program sets in static fields of the JDK is that of its process.
final class StaticsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final Pattern SETTER =
      Pattern.compile("(set|register|deregister|add|remove|insert)([A-Z]\\w*)?");

  /// Modules whose programs have no hosts.
  private static final Set<String> NOT_SEARCHED =
      Set.of(
          "java.desktop", "jdk.accessibility", "jdk.unsupported.desktop", "jdk.incubator.vector");

  /// Classes that keep nothing.
  private static final Set<String> STATELESS =
      Set.of(
          "java.lang.Math",
          "java.lang.StrictMath",
          "java.lang.invoke.MethodHandles",
          "java.lang.reflect.Array",
          "java.util.Collections");

  /// What a process sets for itself.
  private static final Set<String> OF_THE_PROCESS =
      Set.of(
          "java.lang.System.setErr",
          "java.lang.System.setOut",
          "java.lang.System.setProperties",
          "java.lang.System.setProperty",
          "java.lang.Thread.setDefaultUncaughtExceptionHandler",
          "java.net.Authenticator.setDefault",
          "java.net.CookieHandler.setDefault",
          "java.net.HttpURLConnection.setFollowRedirects",
          "java.net.ProxySelector.setDefault",
          "java.net.ResponseCache.setDefault",
          "java.net.URL.setURLStreamHandlerFactory",
          "java.net.URLConnection.setContentHandlerFactory",
          "java.net.URLConnection.setDefaultAllowUserInteraction",
          "java.net.URLConnection.setDefaultUseCaches",
          "java.net.URLConnection.setFileNameMap",
          "java.security.Security.addProvider",
          "java.security.Security.insertProviderAt",
          "java.security.Security.removeProvider",
          "java.security.Security.setProperty",
          "java.sql.DriverManager.deregisterDriver",
          "java.sql.DriverManager.registerDriver",
          "java.sql.DriverManager.setLogStream",
          "java.sql.DriverManager.setLogWriter",
          "java.sql.DriverManager.setLoginTimeout",
          "java.util.Locale.setDefault",
          "java.util.TimeZone.setDefault",
          "javax.naming.spi.NamingManager.setInitialContextFactoryBuilder",
          "javax.net.ssl.HttpsURLConnection.setDefaultHostnameVerifier",
          "javax.net.ssl.HttpsURLConnection.setDefaultSSLSocketFactory",
          "javax.net.ssl.SSLContext.setDefault",
          "javax.security.auth.login.Configuration.setConfiguration");

  /// What all programs share, or none can set.
  private static final Set<String> OF_THE_JVM =
      Set.of(
          "java.io.ObjectInputFilter$Config.setSerialFilter",
          "java.io.ObjectInputFilter$Config.setSerialFilterFactory",
          "java.lang.System.setIn", // is refused
          "java.net.DatagramSocket.setDatagramSocketImplFactory", // has no effect
          "java.net.ServerSocket.setSocketFactory", // is refused by the JDK
          "java.net.Socket.setSocketImplFactory", // is refused by the JDK
          "java.time.zone.ZoneRulesProvider.registerProvider",
          "java.rmi.server.LogStream.setDefaultStream",
          "java.rmi.server.RMISocketFactory.setFailureHandler",
          "java.rmi.server.RMISocketFactory.setSocketFactory",
          "java.rmi.server.RemoteServer.setLog",
          "javax.naming.spi.NamingManager.setObjectFactoryBuilder",
          "javax.sql.rowset.spi.SyncFactory.registerProvider",
          "javax.sql.rowset.spi.SyncFactory.setJNDIContext",
          "javax.sql.rowset.spi.SyncFactory.setLogger",
          "jdk.jfr.FlightRecorder.addListener",
          "jdk.jfr.FlightRecorder.addPeriodicEvent",
          "jdk.jfr.FlightRecorder.register",
          "jdk.jfr.FlightRecorder.removeListener",
          "jdk.jfr.FlightRecorder.removePeriodicEvent");

  /// What sets none: it changes an argument, computes, or always fails.
  private static final Set<String> OF_NONE =
      Set.of(
          "java.lang.System.setSecurityManager",
          "java.lang.reflect.AccessibleObject.setAccessible",
          "java.net.URLConnection.setDefaultRequestProperty",
          "java.nio.file.Files.setAttribute",
          "java.nio.file.Files.setLastModifiedTime",
          "java.nio.file.Files.setOwner",
          "java.nio.file.Files.setPosixFilePermissions",
          "java.security.Policy.setPolicy",
          "java.util.Arrays.setAll",
          "java.util.concurrent.locks.LockSupport.setCurrentBlocker",
          "jdk.net.Sockets.setOption");

  private static Set<String> settersOfJdk() throws IOException {
    var found = new TreeSet<String>();
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      ModuleDescriptor descriptor = module.descriptor();
      if (NOT_SEARCHED.contains(descriptor.name())) {
        continue;
      }
      Set<String> exported =
          descriptor.exports().stream()
              .filter(each -> !each.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet());
      try (ModuleReader reader = module.open();
          var names = reader.list()) {
        names
            .filter(each -> each.endsWith(".class") && each.contains("/"))
            .map(each -> each.substring(0, each.length() - ".class".length()).replace('/', '.'))
            .filter(each -> exported.contains(each.substring(0, each.lastIndexOf('.'))))
            .forEach(each -> found.addAll(settersOf(each)));
      }
    }
    return found;
  }

  private static List<String> settersOf(String name) {
    try {
      Class<?> type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
      return Modifier.isPublic(type.getModifiers()) && !STATELESS.contains(name)
          ? Arrays.stream(type.getDeclaredMethods())
              .filter(StaticsTest::isSetter)
              .map(each -> name + "." + each.getName())
              .toList()
          : List.of();
    } catch (ClassNotFoundException | LinkageError e) {
      return List.of(); // of a module that is not resolved: no program can use it
    }
  }

  /// Whether it is static, public, and receives something to keep.
  private static boolean isSetter(Method method) {
    int access = method.getModifiers();
    return Modifier.isStatic(access)
        && Modifier.isPublic(access)
        && method.getParameterCount() > 0
        && Arrays.stream(method.getParameterTypes()).noneMatch(StaticsTest::isMemory)
        && SETTER.matcher(method.getName()).matches();
  }

  private static boolean isMemory(Class<?> type) {
    return type.getName().startsWith("java.lang.foreign.");
  }

  @Test
  void settersOfTheJdk_areAllKnown() throws IOException {
    var known = new TreeSet<String>();
    known.addAll(OF_THE_PROCESS);
    known.addAll(OF_THE_JVM);
    known.addAll(OF_NONE);
    Set<String> found = settersOfJdk();
    var added = new TreeSet<>(found);
    added.removeAll(known);
    var gone = new TreeSet<>(known);
    gone.removeAll(found);
    assertEquals("added [], gone []", "added " + added + ", gone " + gone);
  }

  @Test
  void statics_areThoseOfTheProcess() throws Exception {
    List<String> before = Statics.told();
    assertEquals(List.of(), before);
    var told = new TreeMap<String, List<String>>();
    for (int run = 0; run < 2; run++) {
      try (World world = BlockingJava.in(World.withSeed(7))) {
        world.host(
            "sets",
            _ -> {
              Statics.set();
              Thread.sleep(1_000); // virtual
              told.put("sets", Statics.told());
            });
        world.runFor(MINUTE);
        world.host("other", _ -> told.put("other", Statics.told()));
        world.runFor(MINUTE);
      }
    }
    assertEquals(
        List.of(
            "handler",
            "authenticator",
            "cookies",
            "redirects",
            "proxy",
            "cache",
            "protocol",
            "uses caches",
            "names",
            "security",
            "provider",
            "timeout",
            "log",
            "level of logs",
            "handler of logs",
            "locale",
            "zone",
            "bean",
            "verifier",
            "tls",
            "login",
            "property"),
        told.get("sets"));
    assertEquals(List.of(), told.get("other"));
    assertEquals(List.of(), new ArrayList<>(Statics.told()));
  }
}
