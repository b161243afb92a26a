package dev.rondo.http.files;

import dev.rondo.http.files.internal.ServedFolder;
import java.nio.file.Path;
import java.util.Objects;

/// A folder whose files a server sends; see
/// [HttpServerBuilder#files][dev.rondo.http.server.HttpServerBuilder#files] and
/// [HttpExchange#respondFile][dev.rondo.http.server.HttpExchange#respondFile(StaticFiles, String)].
///
/// **What is sent.** Regular files in the folder and its folders, and for a folder the file
/// `index.html` in it. There are no lists of files. Anything else is answered with status 404:
/// names with `..`, `.`, an empty part, a backslash or a control character; devices, pipes and
/// sockets; files that this process may not read. So are files whose name begins with a dot, unless
/// [#withHidden()] allows them, and symbolic links that lead out of the folder, unless
/// [#withLinksOut()] does.
///
/// A file is opened after it was looked at, and the system offers no way to do both at once: a
/// program that can change the folder can have other files sent.
///
/// Immutable.
public sealed interface StaticFiles permits ServedFolder {

  /// {@return the files of a folder} Never a suspension point; the folder is looked at with each
  /// request.
  ///
  /// @param folder which need not exist yet
  static StaticFiles of(Path folder) {
    Objects.requireNonNull(folder, "folder is null");
    return ServedFolder.of(folder);
  }

  /// {@return these files with another one for folders}
  ///
  /// @param name of the file in a folder that is sent for the folder; empty for none
  StaticFiles withIndex(String name);

  /// {@return these files, with those that symbolic links in the folder lead to, wherever they are}
  StaticFiles withLinksOut();

  /// {@return these files, with those whose name, or a folder's, begins with a dot}
  StaticFiles withHidden();

  /// {@return these files with a `Cache-Control` header} Without one a browser may take a file for
  /// fresh for some time of its own choice, and asks then whether it has changed.
  ///
  /// @param value of the header, as `max-age=3600`; empty for none
  StaticFiles withCacheControl(String value);

  /// {@return these files with another `Content-Type` for some} The usual types of the web are
  /// known, texts as UTF-8; any other file is `application/octet-stream`.
  ///
  /// @param suffix of the name, as `gltf`, in any case
  /// @param contentType of such files
  StaticFiles withType(String suffix, String contentType);
}
