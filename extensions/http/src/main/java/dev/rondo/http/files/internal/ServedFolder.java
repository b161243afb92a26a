package dev.rondo.http.files.internal;

import dev.rondo.http.files.StaticFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A folder whose files a server sends, see [StaticFiles].
///
/// @param folder absolute
/// @param index of a folder; empty for none
/// @param areLinksFollowed also to targets outside of the folder
/// @param areHiddenSent whether files are sent whose name begins with a dot
/// @param cacheControl the header; empty for none
/// @param types of the content, by suffixes in lower case
public record ServedFolder(
    Path folder,
    String index,
    boolean areLinksFollowed,
    boolean areHiddenSent,
    String cacheControl,
    Map<String, String> types)
    implements StaticFiles {

  private static final String INDEX = "index.html";

  /// {@return the files of a folder, with the usual settings}
  public static ServedFolder of(Path folder) {
    return new ServedFolder(folder.toAbsolutePath(), INDEX, false, false, "", Map.of());
  }

  @Override
  public ServedFolder withIndex(String name) {
    Objects.requireNonNull(name, "name is null");
    return new ServedFolder(folder, name, areLinksFollowed, areHiddenSent, cacheControl, types);
  }

  @Override
  public ServedFolder withLinksOut() {
    return new ServedFolder(folder, index, true, areHiddenSent, cacheControl, types);
  }

  @Override
  public ServedFolder withHidden() {
    return new ServedFolder(folder, index, areLinksFollowed, true, cacheControl, types);
  }

  @Override
  public ServedFolder withCacheControl(String value) {
    Objects.requireNonNull(value, "value is null");
    return new ServedFolder(folder, index, areLinksFollowed, areHiddenSent, value, types);
  }

  @Override
  public ServedFolder withType(String suffix, String contentType) {
    Objects.requireNonNull(suffix, "suffix is null");
    Objects.requireNonNull(contentType, "contentType is null");
    var all = new HashMap<>(types);
    all.put(suffix.toLowerCase(Locale.ROOT), contentType);
    return new ServedFolder(
        folder, index, areLinksFollowed, areHiddenSent, cacheControl, Map.copyOf(all));
  }

  /// {@return the type of a file}
  public String contentType(String fileName) {
    return ContentTypes.of(fileName, types);
  }

  @Override
  public String toString() {
    return "files of " + folder;
  }
}
