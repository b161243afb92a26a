package dev.rondo.http.server;

import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.server.UsualHeaders.Line;
import dev.rondo.scheduler.addon.AddOnHost;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;

/// Header values that many responses share, as bytes. Encoders copy the bytes, and the HTTP/2
/// encoder reuses their hash. A value is replaced when it changes.
///
/// Confined to the scheduler's thread.
final class HeaderValues {

  private static final long MILLIS_PER_SECOND = 1_000;

  private final AddOnHost host;
  private final InstantSource clock;

  private long dateSecond = Long.MIN_VALUE;

  /// The pass in which the clock was read for it.
  private long datePassNanos;

  private Line date = Line.NONE;

  /// The last content type of a response.
  private String type = "";

  private Line typeLine = Line.NONE;

  HeaderValues(AddOnHost host, InstantSource clock) {
    this.host = host;
    this.clock = clock;
  }

  /// {@return the headers of a response that has only the usual headers}
  ///
  /// @param contentType empty for none
  /// @throws IllegalArgumentException if it has control characters
  UsualHeaders usual(String contentType, int lengthBytes) {
    return new UsualHeaders(typeLine(contentType), dateLine(), lengthBytes);
  }

  /// {@return the instant of the response, to the second}
  AsciiString date() {
    return dateLine().value();
  }

  private Line dateLine() {
    long passNanos = host.passNanos();
    if (passNanos == datePassNanos && date != Line.NONE) {
      return date;
    }
    datePassNanos = passNanos;
    long nowMillis = clock.millis();
    long second = Math.floorDiv(nowMillis, MILLIS_PER_SECOND);
    if (second != dateSecond) {
      dateSecond = second;
      String text = DateFormatter.format(Date.from(Instant.ofEpochMilli(nowMillis)));
      date = Line.of(HttpHeaderNames.DATE, new AsciiString(text));
    }
    return date;
  }

  /// {@return a content type}
  ///
  /// @throws IllegalArgumentException if it has control characters
  AsciiString contentType(String wanted) {
    return typeLine(wanted).value();
  }

  private Line typeLine(String wanted) {
    if (!wanted.equals(type)) {
      typeLine =
          wanted.isEmpty()
              ? Line.NONE
              : Line.of(
                  HttpHeaderNames.CONTENT_TYPE,
                  new AsciiString(HeadRules.value("contentType", wanted)));
      type = wanted;
    }
    return typeLine;
  }
}
