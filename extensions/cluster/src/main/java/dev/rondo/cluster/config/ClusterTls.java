package dev.rondo.cluster.config;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.members.ClusterException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The key of a member, and the certificates of the members it trusts: each connection between
/// members is TLS 1.3, and both sides prove who they are.
///
/// A process with a key that is trusted can be a member, whatever host its certificate names. So
/// trust the certificates of the members, or of an authority that certifies members only.
///
/// On the hosts of a simulated world no certificate is compared: each member with TLS trusts each
/// other one.
///
/// Immutable; any thread.
///
/// A context of the program's own may have a key manager that reads its file again: each new
/// connection asks it for the certificate.
///
/// @param context has the key, and the certificates that are trusted; null if it is simulated
public record ClusterTls(@Nullable SSLContext context) {

  /// {@return the TLS of a member}
  ///
  /// @param keys has its private key and certificate
  /// @param password of the key
  /// @param trusted has the certificates of members, or of their authority
  /// @throws IllegalArgumentException if there is no key, or no trusted certificate
  /// @throws GeneralSecurityException if the key cannot be used
  public static ClusterTls of(KeyStore keys, char[] password, KeyStore trusted)
      throws GeneralSecurityException {
    requireNonNull(keys, "keys is null");
    requireNonNull(password, "password is null");
    requireNonNull(trusted, "trusted is null");
    if (!has(keys, KeyStore.PrivateKeyEntry.class)) {
      throw new IllegalArgumentException(
          "keys has no private key: a member must prove to the others who it is");
    }
    if (!has(trusted, KeyStore.TrustedCertificateEntry.class)) {
      throw new IllegalArgumentException(
          "trusted has no certificate: a member must know the certificates that it trusts");
    }
    var key = KeyManagerFactory.getInstance("PKIX");
    key.init(keys, password);
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
    return new ClusterTls(context);
  }

  /// {@return what stands for TLS on the hosts of a simulated world} Members there trust each
  /// other, and no certificate is needed. Everywhere else joining fails with a [ClusterException].
  public static ClusterTls simulated() {
    return new ClusterTls(null);
  }

  private static boolean has(KeyStore store, Class<? extends KeyStore.Entry> type)
      throws KeyStoreException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.entryInstanceOf(alias, type)) {
        return true;
      }
    }
    return false;
  }
}
