package io.rns.wire;

import io.rns.api.Entry.VirtualDirectory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resource properties that RNS 1.1 gives a directory, in the order of their document. */
public enum Property {
  /** How many entries it has. */
  ELEMENT_COUNT("elementCount"),
  /** When it was made. */
  CREATE_TIME("createTime"),
  /** When it was last read, which is not kept: always nil. */
  ACCESS_TIME("accessTime"),
  /** When its name, place or metadata last changed; additions and removals in it do not count. */
  MODIFICATION_TIME("modificationTime"),
  /** Whether the caller may look up in it. */
  READABLE("readable"),
  /** Whether the caller may add to it and remove from it. */
  WRITABLE("writable");

  private final String localName;

  Property(String localName) {
    this.localName = localName;
  }

  /** The local name in {@link Namespaces#RNS_11}. */
  public String localName() {
    return localName;
  }

  static @Nullable Property named(String localName) {
    for (Property property : values()) {
      if (property.localName.equals(localName)) {
        return property;
      }
    }
    return null;
  }

  /** The value for a directory whose entries were counted; empty for nil. */
  Optional<String> of(VirtualDirectory directory) {
    return switch (this) {
      case ELEMENT_COUNT -> Optional.of(Long.toString(directory.entries()));
      case CREATE_TIME -> Optional.of(directory.created().toString());
      case ACCESS_TIME -> Optional.empty();
      case MODIFICATION_TIME -> Optional.of(directory.modified().toString());
      case READABLE, WRITABLE -> Optional.of("true");
    };
  }
}
