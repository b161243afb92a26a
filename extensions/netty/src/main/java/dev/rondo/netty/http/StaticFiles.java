package dev.rondo.netty.http;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A folder whose files a server sends; see [HttpServerBuilder#files] and
/// [HttpExchange#respondFile(StaticFiles, String)].
///
/// **What is sent.** Regular files in the folder and its folders, and for a folder the file
/// `index.html` in it. There are no lists of files. Anything else is answered with status 404:
/// names with `..`, `.`, an empty part, a backslash or a control character; devices, pipes and
/// sockets; files that this process may not read. So are, unless they are asked for, files whose
/// name begins with a dot, and symbolic links that lead out of the folder.
///
/// A file is opened after it was looked at, and the system offers no way to do both at once: a
/// program that can change the folder can have other files sent.
///
/// Immutable.
public final class StaticFiles {

  private static final String INDEX = "index.html";

  private final Path folder;
  private final String index;
  private final boolean linksFollowed;
  private final boolean hiddenSent;
  private final String cacheControl;
  private final Map<String, String> types;

  private StaticFiles(
      Path folder,
      String index,
      boolean linksFollowed,
      boolean hiddenSent,
      String cacheControl,
      Map<String, String> types) {
    this.folder = folder;
    this.index = index;
    this.linksFollowed = linksFollowed;
    this.hiddenSent = hiddenSent;
    this.cacheControl = cacheControl;
    this.types = types;
  }

  /// {@return the files of a folder} Never a suspension point; the folder is looked at with each
  /// request.
  ///
  /// @param folder which need not exist yet
  public static StaticFiles of(Path folder) {
    Objects.requireNonNull(folder, "folder is null");
    return new StaticFiles(folder.toAbsolutePath(), INDEX, false, false, "", Map.of());
  }

  /// {@return these files with another one for folders}
  ///
  /// @param name of the file in a folder that is sent for the folder; empty for none
  public StaticFiles withIndex(String name) {
    Objects.requireNonNull(name, "name is null");
    return new StaticFiles(folder, name, linksFollowed, hiddenSent, cacheControl, types);
  }

  /// {@return these files, with those that symbolic links in the folder lead to, wherever they are}
  public StaticFiles withLinksOut() {
    return new StaticFiles(folder, index, true, hiddenSent, cacheControl, types);
  }

  /// {@return these files, with those whose name, or a folder's, begins with a dot}
  public StaticFiles withHidden() {
    return new StaticFiles(folder, index, linksFollowed, true, cacheControl, types);
  }

  /// {@return these files with a `Cache-Control` header} Without one a browser may take a file for
  /// fresh for some time of its own choice, and asks then whether it has changed.
  ///
  /// @param value of the header, as `max-age=3600`; empty for none
  public StaticFiles withCacheControl(String value) {
    Objects.requireNonNull(value, "value is null");
    return new StaticFiles(folder, index, linksFollowed, hiddenSent, value, types);
  }

  /// {@return these files with another `Content-Type` for some} The usual types of the web are
  /// known, texts as UTF-8; any other file is `application/octet-stream`.
  ///
  /// @param suffix of the name, as `gltf`, in any case
  /// @param contentType of such files
  public StaticFiles withType(String suffix, String contentType) {
    Objects.requireNonNull(suffix, "suffix is null");
    Objects.requireNonNull(contentType, "contentType is null");
    var all = new HashMap<>(types);
    all.put(suffix.toLowerCase(Locale.ROOT), contentType);
    return new StaticFiles(folder, index, linksFollowed, hiddenSent, cacheControl, Map.copyOf(all));
  }

  Path folder() {
    return folder;
  }

  String index() {
    return index;
  }

  boolean areLinksFollowed() {
    return linksFollowed;
  }

  boolean areHiddenSent() {
    return hiddenSent;
  }

  String cacheControl() {
    return cacheControl;
  }

  String contentType(String fileName) {
    return ContentTypes.of(fileName, types);
  }

  @Override
  public String toString() {
    return "files of " + folder;
  }
}
