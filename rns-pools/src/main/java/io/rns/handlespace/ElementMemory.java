package io.rns.handlespace;

import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.pool.Registration;

/** Estimates of the memory that elements and pools take. */
final class ElementMemory {
  /** Of an element beside its texts: what it takes in all maps and trees, and more; measured are 700 with its texts. */
  static final int BYTES_OF_ELEMENT = 800;

  /** Of a pool beside its handle. */
  static final int BYTES_OF_POOL = 1_600;

  /** Of a reference beside its texts, which are three. */
  private static final int BYTES_OF_REFERENCE = 120;

  /** Of a name of a handle beside its text. */
  private static final int BYTES_OF_NAME = 64;

  /** Of a character, at most. */
  private static final int BYTES_OF_CHARACTER = 2;

  private ElementMemory() {}

  /** What a handle takes. */
  static long of(RnsPath handle) {
    long bytes = 0;
    for (EntryName name : handle.names()) {
      bytes += BYTES_OF_NAME + (long) BYTES_OF_CHARACTER * name.toString().length();
    }
    return bytes;
  }

  /** What a pool takes beside its elements. */
  static long ofPool(long handleBytes) {
    return BYTES_OF_POOL + handleBytes;
  }

  /**
   * What an element takes.
   *
   * @param handleBytes of the handle of its pool, which is kept for each element
   */
  static long of(Registration registration, long handleBytes) {
    long taken = BYTES_OF_ELEMENT + handleBytes;
    for (EndpointReference endpoint : registration.endpoints()) {
      taken += of(endpoint);
    }
    return registration.control().isPresent() ? taken + of(registration.control().get()) : taken;
  }

  private static long of(EndpointReference reference) {
    long characters =
        (long) reference.address().length() + reference.attributes().length() + reference.content().length();
    return BYTES_OF_REFERENCE + BYTES_OF_CHARACTER * characters;
  }
}
