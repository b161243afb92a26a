package dev.rondo.io.tls;

/// Whether a server requests certificates of its clients.
public enum ClientCertificates {
  /// Certificates are not requested.
  NONE,
  /// Certificates are requested, but not required.
  WANTED,
  /// A client without a certificate that the server trusts is refused.
  REQUIRED
}
