package dev.rondo.http.client;

/// The redirects that a client follows: responses with status 301, 302, 303, 307 or 308 and another
/// location.
public enum HttpRedirects {

  /// No redirect: the response is returned as it is.
  NEVER,

  /// All redirects, but a redirect from `https` to `http` fails.
  NORMAL,

  /// All redirects, also from `https` to `http`, where others can read and change the messages.
  ALWAYS
}
