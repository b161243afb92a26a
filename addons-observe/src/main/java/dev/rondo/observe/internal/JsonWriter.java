package dev.rondo.observe.internal;

import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;

/// Writes JSON (RFC 8259) and keeps nothing. The caller must end every object and array that it
/// begins. Surrogates are escaped, so that the text survives every encoding, and so are characters
/// that a terminal would obey.
final class JsonWriter {

  private final Appendable out;

  /// Whether a comma goes before the next value or name.
  private boolean follows;

  JsonWriter(Appendable out) {
    this.out = out;
  }

  void beginObject() throws IOException {
    open('{');
  }

  void endObject() throws IOException {
    close('}');
  }

  void beginArray() throws IOException {
    open('[');
  }

  void endArray() throws IOException {
    close(']');
  }

  private void open(char bracket) throws IOException {
    separate();
    out.append(bracket);
    follows = false;
  }

  private void close(char bracket) throws IOException {
    out.append(bracket);
    follows = true;
  }

  /// Writes a member's name; its value comes next.
  JsonWriter name(String name) throws IOException {
    separate();
    quote(name);
    out.append(':');
    follows = false;
    return this;
  }

  void value(String text) throws IOException {
    separate();
    quote(text);
  }

  void value(long number) throws IOException {
    separate();
    out.append(Long.toString(number));
  }

  void value(boolean truth) throws IOException {
    separate();
    out.append(Boolean.toString(truth));
  }

  private void separate() throws IOException {
    if (follows) {
      out.append(',');
    }
    follows = true;
  }

  private void quote(String text) throws IOException {
    out.append('"');
    int clean = 0; // everything before it is written, or needs no escape
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\' || Character.isSurrogate(c) || ReportText.isHarmful(c)) {
        out.append(text, clean, i);
        escape(c);
        clean = i + 1;
      }
    }
    out.append(text, clean, text.length());
    out.append('"');
  }

  private void escape(char c) throws IOException {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\t' -> out.append("\\t");
      case '\r' -> out.append("\\r");
      default -> out.append("\\u%04x".formatted((int) c));
    }
  }
}
