/// TLS over any channel that suspends: [TlsClient] and [TlsServer] create a [TlsSocket]. Requires
/// the library `com.github.marianobarrios:tls-channel`.
@NullMarked
package dev.rondo.io.tls;

import org.jspecify.annotations.NullMarked;
