/// Queries to name servers: [DnsClient]. Requires the library `dnsjava:dnsjava` for the messages.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.dns;

import org.jspecify.annotations.NullMarked;
