package dev.rondo.http.files;

import dev.rondo.http.files.internal.ServedFolder;
import java.nio.file.Path;
import java.util.Objects;

/// A folder whose files a server sends; see
/// [HttpServerBuilder#files][dev.rondo.http.server.HttpServerBuilder#files] and
/// [HttpExchange#respondFile][dev.rondo.http.server.HttpExchange#respondFile(StaticFiles, String)].
///
/// **Which files.** Regular files in the folder and its subfolders, and for a folder its file
/// `index.html`. Folders are not listed. All other names are answered with status 404: names with
/// `..`, `.`, an empty part, a backslash or a control character; devices, pipes and sockets; files
/// that this process may not read. Files whose name begins with a dot are sent only with
/// [#withHidden()], and symbolic links that lead out of the folder are followed only with
/// [#withLinksOut()].
///
/// A file is checked before it is opened, and the system offers no way to do both at once. A
/// program that can change the folder can make the server send other files.
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

  /// {@return these files with another index file for folders}
  ///
  /// @param name of the file that is sent for its folder; empty for none
  StaticFiles withIndex(String name);

  /// {@return these files, and the targets of symbolic links in the folder, wherever they are}
  StaticFiles withLinksOut();

  /// {@return these files, including files whose own name or folder's name begins with a dot}
  StaticFiles withHidden();

  /// {@return these files with a `Cache-Control` header} Without this header a browser decides for
  /// how long a file is fresh, and then asks whether it has changed.
  ///
  /// @param value of the header, as `max-age=3600`; empty for none
  StaticFiles withCacheControl(String value);

  /// {@return these files with another `Content-Type` for a suffix} The usual web types are known,
  /// texts as UTF-8. Any other file is `application/octet-stream`.
  ///
  /// @param suffix of the name, such as `gltf`, in any case
  /// @param contentType of such files
  StaticFiles withType(String suffix, String contentType);
}
