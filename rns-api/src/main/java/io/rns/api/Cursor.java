package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position in a listing after which the next page begins. It stays valid while the directory changes: names are
 * listed in byte order, and every name that exists throughout the listing appears exactly once.
 *
 * @param directory the listed directory
 * @param after the last name of the previous page
 */
public record Cursor(EntryId directory, EntryName after) {
  /**
   * Parses the text form.
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
        // Reject other encodings of the same bytes and invalid UTF-8: toString never produces them.
        if (cursor.toString().equals(text)) {
          return cursor;
        }
      }
    } catch (IllegalArgumentException | RnsException e) {
      throw new RnsException(RnsError.INVALID_CURSOR, "cursor '" + Text.shown(text) + "' is not a valid listing cursor",
          e);
    }
    throw new RnsException(RnsError.INVALID_CURSOR, "cursor '" + Text.shown(text) + "' is not a valid listing cursor");
  }

  /** The text form: URL-safe Base64, opaque to clients. */
  @Override
  public String toString() {
    byte[] name = after.utf8();
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + name.length).putLong(directory.value()).put(name);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }
}
