/// TLS over any channel that suspends: [TlsClient], [TlsServer] and what they make, [TlsSocket].
/// Needs the library `com.github.marianobarrios:tls-channel`.
@NullMarked
package dev.rondo.io.tls;

import org.jspecify.annotations.NullMarked;
