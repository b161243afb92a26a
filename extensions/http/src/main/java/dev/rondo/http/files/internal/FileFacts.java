package dev.rondo.http.files.internal;

import dev.rondo.http.internal.ContentCoding;
import java.time.Duration;
import java.time.Instant;

/// The size of an open file, and when it was modified.
///
/// @param sizeBytes of the file
/// @param modified when it was written last
public record FileFacts(long sizeBytes, Instant modified) {

  /// A file that was modified more recently may change again and keep its time.
  private static final Duration SETTLED = Duration.ofSeconds(1);

  /// {@return the entity tag, which is weak if the file may still be written}
  String tag(Instant now) {
    String strong =
        "\"%x.%x-%x\"".formatted(modified.getEpochSecond(), modified.getNano(), sizeBytes);
    return isSettled(now) ? strong : ContentCoding.weak(strong);
  }

  /// Whether the time of modification identifies the content.
  boolean isSettled(Instant now) {
    return Duration.between(modified, now).compareTo(SETTLED) > 0;
  }
}
