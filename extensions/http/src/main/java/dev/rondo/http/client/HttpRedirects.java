package dev.rondo.http.client;

/// Which redirects a client follows: responses with status 301, 302, 303, 307 or 308 that say where
/// else the resource is.
public enum HttpRedirects {

  /// None: the response is returned as it is.
  NEVER,

  /// All, except that one from `https` to `http` fails.
  NORMAL,

  /// All, also from `https` to `http`, where others can read and change what is sent.
  ALWAYS
}
