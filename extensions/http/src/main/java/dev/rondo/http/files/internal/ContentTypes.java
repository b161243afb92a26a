package dev.rondo.http.files.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Finds the `Content-Type` of a file by its name.
///
/// The JDK's tables are not used. The table of `URLConnection` knows neither scripts nor fonts, and
/// the results of `Files.probeContentType` differ between systems.
public final class ContentTypes {

  static final String UNKNOWN = "application/octet-stream";

  private static final String UTF_8 = "; charset=utf-8";

  /// A type, and the suffixes of its files.
  private static final List<String> TABLE =
      List.of(
          "text/html html htm",
          "text/css css",
          "text/javascript js mjs",
          "text/plain txt text log",
          "text/markdown md",
          "text/csv csv",
          "text/calendar ics",
          "text/vtt vtt",
          "application/json json map",
          "application/manifest+json webmanifest",
          "application/xml xml",
          "application/xhtml+xml xhtml",
          "application/rss+xml rss",
          "application/atom+xml atom",
          "application/wasm wasm",
          "application/pdf pdf",
          "application/zip zip",
          "application/gzip gz tgz",
          "application/java-archive jar",
          "image/svg+xml svg",
          "image/png png",
          "image/jpeg jpg jpeg",
          "image/gif gif",
          "image/webp webp",
          "image/avif avif",
          "image/bmp bmp",
          "image/x-icon ico",
          "font/woff woff",
          "font/woff2 woff2",
          "font/ttf ttf",
          "font/otf otf",
          "audio/mpeg mp3",
          "audio/ogg ogg oga",
          "audio/wav wav",
          "audio/flac flac",
          "audio/mp4 m4a",
          "video/mp4 mp4 m4v",
          "video/webm webm",
          "video/ogg ogv",
          "video/quicktime mov");

  private static final Map<String, String> BY_SUFFIX = bySuffix();

  private ContentTypes() {}

  private static Map<String, String> bySuffix() {
    var all = new HashMap<String, String>();
    for (String row : TABLE) {
      String[] words = row.split(" ", -1);
      String type = words[0].startsWith("text/") ? words[0] + UTF_8 : words[0];
      for (int i = 1; i < words.length; i++) {
        all.put(words[i], type);
      }
    }
    return Map.copyOf(all);
  }

  /// {@return the type of a file}
  ///
  /// @param own types by suffix, which take precedence
  public static String of(String fileName, Map<String, String> own) {
    String suffix = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String type = own.get(suffix);
    return type == null ? BY_SUFFIX.getOrDefault(suffix, UNKNOWN) : type;
  }
}
