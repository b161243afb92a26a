/// TLS over any channel that suspends: [TlsClient] and [TlsServer] create a [TlsSocket]. Requires
/// the library `com.github.marianobarrios:tls-channel`.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.tls;

import org.jspecify.annotations.NullMarked;
