package dev.rondo.http.server;

import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the handler of a request. Paths without parameters come first, then templates in the order
/// in which they were added.
final class Routes {

  /// The route of a request.
  ///
  /// @param route the path with its parameters' names; empty if there is no such path
  /// @param handler null if there is none for the method
  /// @param parameters of the path, decoded
  /// @param allowed the methods that the path has; empty if there is no such path
  /// @param name of the task that answers such requests; empty if it depends on the request
  record Match(
      String route,
      @Nullable HttpHandler handler,
      Map<String, String> parameters,
      List<String> allowed,
      String name) {}

  private record Template(
      String path, List<String> segments, Map<HttpMethod, HttpHandler> handlers) {}

  /// The end of a parameter for the rest of a path.
  private static final String REST = "...}";

  private static final Match NONE = new Match("", null, Map.of(), List.of(), "");

  private final Map<String, Map<HttpMethod, HttpHandler>> exact = new HashMap<>();

  /// The matches of paths without parameters, by path and method. Most requests are for such a
  /// path.
  private final Map<String, Map<HttpMethod, Match>> plain = new HashMap<>();

  private final List<Template> templates = new ArrayList<>();

  /// @throws IllegalArgumentException if the path is malformed or has a handler of the method
  void add(HttpMethod method, String path, HttpHandler handler) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path='%s'; required: it begins with /".formatted(path));
    }
    Map<HttpMethod, HttpHandler> handlers =
        path.indexOf('{') < 0
            ? exact.computeIfAbsent(path, each -> new HashMap<>())
            : template(path).handlers();
    if (handlers.putIfAbsent(method, handler) != null) {
      throw new IllegalArgumentException(
          "there is a handler of %s %s already".formatted(method, path));
    }
    if (path.indexOf('{') < 0) {
      plain
          .computeIfAbsent(path, each -> new HashMap<>())
          .put(method, new Match(path, handler, Map.of(), List.of(), method + " " + path));
    }
  }

  private Template template(String path) {
    for (Template each : templates) {
      if (each.path().equals(path)) {
        return each;
      }
    }
    List<String> segments = segments(path);
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean isParameter = segment.startsWith("{") && segment.endsWith("}");
      if (!isParameter && (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0)) {
        throw new IllegalArgumentException(
            "path='%s'; required: a parameter is a whole segment, as in /a/{name}".formatted(path));
      }
      if (isRest(segment) && i < segments.size() - 1) {
        throw new IllegalArgumentException(
            "path='%s'; required: {name...} is the last segment".formatted(path));
      }
    }
    var made = new Template(path, segments, new HashMap<>());
    templates.add(made);
    return made;
  }

  /// {@return the name of the parameter at the end}
  ///
  /// @throws IllegalArgumentException if the path does not end with a parameter for the rest
  static String restOf(String path) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    if (!path.startsWith("/") || !last.startsWith("{") || !isRest(last)) {
      throw new IllegalArgumentException(
          "path='%s'; required: it ends as in /a/{name...}".formatted(path));
    }
    return last.substring(1, last.length() - REST.length());
  }

  private static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  private static boolean isRest(String segment) {
    return segment.endsWith(REST);
  }

  /// @param path as it was sent
  /// @throws IllegalArgumentException if it cannot be decoded
  Match find(HttpMethod method, String path) {
    Map<HttpMethod, Match> matches = plain.get(path);
    Match match = matches == null ? null : matches.get(method);
    return match == null ? search(method, path) : match;
  }

  private Match search(HttpMethod method, String path) {
    String route = path;
    Map<HttpMethod, HttpHandler> found = exact.get(path);
    if (found == null && path.indexOf('%') >= 0 && !RequestTarget.hasEncodedSlash(path)) {
      route = RequestTarget.decoded(path);
      found = exact.get(route);
    }
    if (found != null) {
      return match(route, method, found, Map.of());
    }
    if (templates.isEmpty() || !path.startsWith("/")) { // a request about the whole server
      return NONE;
    }
    List<String> segments = segments(path);
    for (Template each : templates) {
      Map<String, String> parameters = parameters(each.segments(), segments);
      if (parameters != null) {
        return match(each.path(), method, each.handlers(), parameters);
      }
    }
    return NONE;
  }

  private static Match match(
      String route,
      HttpMethod method,
      Map<HttpMethod, HttpHandler> handlers,
      Map<String, String> parameters) {
    HttpHandler handler = handlers.get(method);
    if (handler == null && method.equals(HttpMethod.HEAD)) {
      handler = handlers.get(HttpMethod.GET);
    }
    return new Match(
        route, handler, parameters, handler == null ? allowed(handlers) : List.of(), "");
  }

  private static List<String> allowed(Map<HttpMethod, HttpHandler> handlers) {
    var names = new TreeSet<>(Set.of(HttpMethod.OPTIONS.name())); // answered by the server
    handlers.keySet().forEach(each -> names.add(each.name()));
    if (names.contains(HttpMethod.GET.name())) {
      names.add(HttpMethod.HEAD.name());
    }
    return List.copyOf(names);
  }

  /// {@return the parameters; null if the path does not match}
  private static @Nullable Map<String, String> parameters(
      List<String> template, List<String> segments) {
    String last = template.getLast();
    if (isRest(last) ? segments.size() < template.size() : segments.size() != template.size()) {
      return null;
    }
    var parameters = new HashMap<String, String>();
    for (int i = 0; i < template.size(); i++) {
      String expected = template.get(i);
      if (isRest(expected)) {
        String rest = String.join("/", segments.subList(i, segments.size()));
        parameters.put(
            expected.substring(1, expected.length() - REST.length()), RequestTarget.decoded(rest));
      } else if (expected.startsWith("{")) {
        parameters.put(
            expected.substring(1, expected.length() - 1), RequestTarget.decoded(segments.get(i)));
      } else if (!isSame(expected, segments.get(i))) {
        return null;
      }
    }
    return parameters;
  }

  /// A client may encode any character; the path is the same.
  private static boolean isSame(String expected, String segment) {
    return expected.equals(segment)
        || (segment.indexOf('%') >= 0 && expected.equals(RequestTarget.decoded(segment)));
  }
}
