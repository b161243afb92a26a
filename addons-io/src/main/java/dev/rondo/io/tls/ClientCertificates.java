package dev.rondo.io.tls;

/// Whether a server wants clients to say who they are.
public enum ClientCertificates {
  /// They are not asked.
  NONE,
  /// They are asked, and need not answer.
  WANTED,
  /// Who has no certificate that the server trusts is refused.
  REQUIRED
}
