package dev.rondo.inspector;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Text in JSON (RFC 8259). The caller ends every object and array that it begins.
final class Json {

  private final StringBuilder out = new StringBuilder();

  /// Whether a comma goes before the next value or name.
  private boolean follows;

  Json beginObject() {
    return open('{');
  }

  Json endObject() {
    return close('}');
  }

  Json beginArray() {
    return open('[');
  }

  Json endArray() {
    return close(']');
  }

  private Json open(char bracket) {
    separate();
    out.append(bracket);
    follows = false;
    return this;
  }

  private Json close(char bracket) {
    out.append(bracket);
    follows = true;
    return this;
  }

  /// Begins a member; its value comes next.
  Json name(String name) {
    separate();
    quote(name);
    out.append(':');
    follows = false;
    return this;
  }

  Json value(String text) {
    separate();
    quote(text);
    return this;
  }

  Json value(long number) {
    separate();
    out.append(number);
    return this;
  }

  Json value(boolean truth) {
    separate();
    out.append(truth);
    return this;
  }

  Json member(String name, @Nullable String text) {
    return text == null ? this : name(name).value(text);
  }

  Json member(String name, long number) {
    return name(name).value(number);
  }

  Json member(String name, boolean truth) {
    return name(name).value(truth);
  }

  /// Writes a duration in milliseconds with a fraction. A browser reads it exactly up to 285 years.
  Json member(String name, @Nullable Duration duration) {
    if (duration == null) {
      return this;
    }
    name(name);
    separate();
    out.append(duration.toNanos() / 1e6);
    return this;
  }

  private void separate() {
    if (follows) {
      out.append(',');
    }
    follows = true;
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (Character.isSurrogate(c) || ReportText.isHarmful(c)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
