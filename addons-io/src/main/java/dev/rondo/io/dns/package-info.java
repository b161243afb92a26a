/// Queries to name servers: [DnsClient]. Requires the library `dnsjava:dnsjava` for the messages.
@NullMarked
package dev.rondo.io.dns;

import org.jspecify.annotations.NullMarked;
