package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where the next page of a listing begins: after a name of one directory. It stays valid while the directory changes:
 * names are listed in byte order, each that was there all the time exactly once.
 *
 * @param directory the directory the listing is of
 * @param after the last name already seen
 */
public record Cursor(EntryId directory, EntryName after) {
  /**
   * Reads the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_CURSOR}
   */
  public static Cursor parse(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length > Long.BYTES) {
        EntryId directory = new EntryId(ByteBuffer.wrap(bytes).getLong());
        String name = new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8);
        Cursor cursor = new Cursor(directory, EntryName.of(name));
        // Other spellings of the same bytes, and bytes that are no UTF-8, did not come from toString.
        if (cursor.toString().equals(text)) {
          return cursor;
        }
      }
    } catch (IllegalArgumentException | RnsException e) {
      throw new RnsException(RnsError.INVALID_CURSOR, "cursor '" + Text.shown(text) + "' was not made by a listing", e);
    }
    throw new RnsException(RnsError.INVALID_CURSOR, "cursor '" + Text.shown(text) + "' was not made by a listing");
  }

  /** The text form: URL-safe Base64, opaque to clients. */
  @Override
  public String toString() {
    byte[] name = after.utf8();
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + name.length).putLong(directory.value()).put(name);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }
}
