/// Queries to name servers: [DnsClient]. Requires the library `dnsjava:dnsjava` for the messages.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.dns;

import org.jspecify.annotations.NullMarked;
