package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.server.store.EntryBytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * What tells the content of a directory from other content: the number of entries, and a sum of 64 bits of the SHA-256
 * of each. Their order does not matter.
 *
 * @param entries on all levels
 * @param hash the sum
 */
public record ContentSum(long entries, long hash) {
  /** Of no entries. */
  public static final ContentSum ZERO = new ContentSum(0, 0);

  ContentSum minus(ContentSum other) {
    return new ContentSum(entries - other.entries, hash - other.hash);
  }

  ContentSum plus(Entry entry) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(EntryBytes.write(List.of(entry)));
      return new ContentSum(entries + 1, hash + ByteBuffer.wrap(digest).getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
