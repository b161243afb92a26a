package dev.rondo.http.internal;

import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.Map;

/// Rules for the head of an outgoing message. A text from outside, such as the content type of an
/// upload that is passed on, must not add a header or a message. All heads are checked here,
/// because Netty does not check values that are set in a copy of its headers.
public final class HeadRules {

  private static final int VALID = -1;

  private HeadRules() {}

  /// Checks all headers of an outgoing message.
  ///
  /// @throws IllegalArgumentException if a header has a character that is not allowed
  public static void check(HttpHeaders headers) {
    Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
    while (all.hasNext()) {
      Map.Entry<CharSequence, CharSequence> each = all.next();
      CharSequence name = each.getKey();
      if (!isToken(name)) {
        throw refused("name of a header", name, "a token");
      }
      if (HttpHeaderValidationUtil.validateValidHeaderValue(each.getValue()) != VALID) {
        throw refused(name.toString(), each.getValue(), "no control characters");
      }
    }
  }

  /// {@return a value of a header}
  ///
  /// @param what the value is
  /// @throws IllegalArgumentException if it has control characters
  public static String value(String what, String value) {
    if (HttpHeaderValidationUtil.validateValidHeaderValue(value) != VALID) {
      throw refused(what, value, "no control characters");
    }
    return value;
  }

  /// {@return a token}
  ///
  /// @param what the token is
  /// @throws IllegalArgumentException if it is not a token
  public static String token(String what, String value) {
    if (!isToken(value)) {
      throw refused(what, value, "a token, as RFC 9110, 5.6.2, defines it");
    }
    return value;
  }

  private static boolean isToken(CharSequence text) {
    return !text.isEmpty() && HttpHeaderValidationUtil.validateToken(text) == VALID;
  }

  private static IllegalArgumentException refused(
      String what, CharSequence found, String required) {
    return new IllegalArgumentException(
        "%s='%s'; required: %s".formatted(what, ReportText.escaped(found.toString()), required));
  }
}
