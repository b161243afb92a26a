package dev.rondo.netty.http;

import dev.rondo.scheduler.addon.AddOnHost;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;

/// Values of headers that many responses of a server have, as bytes: encoders copy these, and that
/// of HTTP/2 has their hash. Each is made again when it is another one.
///
/// Confined to the scheduler's thread.
final class HeaderValues {

  private static final long MILLIS_PER_SECOND = 1_000;
  private static final int VALID = -1;

  private final AddOnHost host;
  private final InstantSource clock;

  private long dateSecond = Long.MIN_VALUE;

  /// The pass in which the clock was read for it.
  private long datePassNanos;

  private AsciiString date = AsciiString.EMPTY_STRING;

  /// The type of the last response that had one.
  private String type = "";

  private AsciiString typeBytes = AsciiString.EMPTY_STRING;

  HeaderValues(AddOnHost host, InstantSource clock) {
    this.host = host;
    this.clock = clock;
  }

  /// {@return the instant of the response, to the second}
  AsciiString date() {
    long passNanos = host.passNanos();
    if (passNanos == datePassNanos && !date.isEmpty()) {
      return date;
    }
    datePassNanos = passNanos;
    long nowMillis = clock.millis();
    long second = Math.floorDiv(nowMillis, MILLIS_PER_SECOND);
    if (second != dateSecond) {
      dateSecond = second;
      date = new AsciiString(DateFormatter.format(Date.from(Instant.ofEpochMilli(nowMillis))));
    }
    return date;
  }

  /// {@return a content type}
  ///
  /// @throws IllegalArgumentException if it has control characters
  AsciiString contentType(String wanted) {
    if (!wanted.equals(type)) {
      if (HttpHeaderValidationUtil.validateValidHeaderValue(wanted) != VALID) {
        throw new IllegalArgumentException(
            "contentType='%s'; required: no control characters".formatted(wanted));
      }
      typeBytes = new AsciiString(wanted);
      type = wanted;
    }
    return typeBytes;
  }
}
