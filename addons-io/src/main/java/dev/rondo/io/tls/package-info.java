/// TLS over any channel that suspends: [TlsClient] and [TlsServer] create a [TlsSocket]. Requires
/// the library `com.github.marianobarrios:tls-channel`.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.tls;

import org.jspecify.annotations.NullMarked;
