package com.acme.threads;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.Authenticator;
import java.net.CacheRequest;
import java.net.CacheResponse;
import java.net.ContentHandler;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;

/// A program that sets static fields of the JDK, and says what they are.
public final class Statics {

  private static final String NAME = "acme:type=Statics";

  /// What is registered.
  public interface Registered {}

  /// A protocol that says nothing.
  private static final class Silent extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      throw new IOException("silent");
    }
  }

  private static final class NoCache extends ResponseCache {
    @Override
    public CacheResponse get(URI uri, String method, Map<String, List<String>> headers) {
      return null;
    }

    @Override
    public CacheRequest put(URI uri, URLConnection connection) {
      return null;
    }
  }

  private static final class NoLogin extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return null;
    }
  }

  private static final class Acme extends Provider {
    private static final long serialVersionUID = 1;

    Acme() {
      super("Acme", "1", "of a test");
    }
  }

  private Statics() {}

  /// Sets all of them. A second time in a JVM some fail.
  public static void set() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((_, _) -> {});
    Authenticator.setDefault(new Authenticator() {});
    CookieHandler.setDefault(new CookieManager());
    HttpURLConnection.setFollowRedirects(false);
    ProxySelector.setDefault(ProxySelector.of(null));
    ResponseCache.setDefault(new NoCache());
    URL.setURLStreamHandlerFactory(name -> name.equals("silent") ? new Silent() : null);
    var _ = URI.create("silent://host").toURL();
    URLConnection.setContentHandlerFactory(_ ->
        new ContentHandler() {
          @Override
          public Object getContent(URLConnection connection) {
            return "";
          }
        });
    URLConnection.setDefaultUseCaches("jar", false);
    URLConnection.setFileNameMap(_ -> "acme");
    Security.setProperty("acme", "set");
    Security.addProvider(new Acme());
    DriverManager.setLoginTimeout(7);
    DriverManager.setLogWriter(new PrintWriter(new StringWriter()));
    Logger.getLogger("").setLevel(Level.FINE);
    Logger.getGlobal().addHandler(new ConsoleHandler());
    Locale.setDefault(Locale.CHINA);
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new StandardMBean(new Registered() {}, Registered.class, false), new ObjectName(NAME));
    HttpsURLConnection.setDefaultHostnameVerifier((_, _) -> false);
    HttpsURLConnection.setDefaultSSLSocketFactory((SSLSocketFactory) SSLSocketFactory.getDefault());
    SSLContext.setDefault(SSLContext.getInstance("TLS"));
    Configuration.setConfiguration(new NoLogin());
    Properties own = new Properties();
    own.setProperty("java.io.tmpdir", "/tmp");
    own.setProperty("user.home", "/");
    own.setProperty("acme", "set");
    System.setProperties(own);
  }

  /// {@return those that were set here}
  public static List<String> told() throws Exception {
    var told = new ArrayList<String>();
    add(told, "handler", Thread.getDefaultUncaughtExceptionHandler() != null);
    add(told, "authenticator", Authenticator.getDefault() != null);
    add(told, "cookies", CookieHandler.getDefault() != null);
    add(told, "redirects", !HttpURLConnection.getFollowRedirects());
    add(told, "proxy", !ProxySelector.getDefault().getClass().getName().startsWith("sun."));
    add(told, "cache", ResponseCache.getDefault() != null);
    add(told, "protocol", isProtocol("silent"));
    add(told, "uses caches", !URLConnection.getDefaultUseCaches("jar"));
    add(told, "names", "acme".equals(URLConnection.getFileNameMap().getContentTypeFor("a.txt")));
    add(told, "security", Security.getProperty("acme") != null);
    add(told, "provider", Security.getProvider("Acme") != null);
    add(told, "timeout", DriverManager.getLoginTimeout() == 7);
    add(told, "log", DriverManager.getLogWriter() != null);
    add(told, "level of logs", Logger.getLogger("").getLevel() == Level.FINE);
    add(told, "handler of logs", Logger.getGlobal().getHandlers().length > 0);
    add(told, "locale", Locale.getDefault().equals(Locale.CHINA));
    add(told, "zone", TimeZone.getDefault().getID().equals("Asia/Tokyo"));
    add(
        told,
        "bean",
        ManagementFactory.getPlatformMBeanServer().isRegistered(new ObjectName(NAME)));
    add(
        told,
        "verifier",
        HttpsURLConnection.getDefaultHostnameVerifier().toString().contains("acme"));
    add(told, "tls", !isFirstTls());
    add(told, "login", Configuration.getConfiguration() instanceof NoLogin);
    add(told, "property", System.getProperty("acme") != null);
    return told;
  }

  private static void add(List<String> told, String name, boolean isSet) {
    if (isSet) {
      told.add(name);
    }
  }

  private static boolean isProtocol(String name) {
    try {
      return URI.create(name + "://host").toURL() != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isFirstTls() throws NoSuchAlgorithmException {
    return SSLContext.getDefault().getProtocol().equals("Default");
  }
}
