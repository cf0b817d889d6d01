package io.rns.wire.resource;

import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.Limits;
import io.rns.wire.Namespaces;
import io.rns.wire.ResourceTarget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resource properties that the specifications define for directories and iterators, in the order of their
 * documents.
 */
public enum Property {
  /** The time of the server. */
  CURRENT_TIME("_l", Namespaces.WSRL, "CurrentTime"),
  /** When the resource expires; nil if it does not expire. */
  TERMINATION_TIME("_l", Namespaces.WSRL, "TerminationTime"),
  /** The number of entries of a directory. */
  ELEMENT_COUNT("_n", Namespaces.RNS_11, "elementCount"),
  /** The creation time. */
  CREATE_TIME("_n", Namespaces.RNS_11, "createTime"),
  /** The time of the last read, which is not recorded: always nil. */
  ACCESS_TIME("_n", Namespaces.RNS_11, "accessTime"),
  /** The time of the last change of name, parent or metadata; additions and removals in the directory do not count. */
  MODIFICATION_TIME("_n", Namespaces.RNS_11, "modificationTime"),
  /** Whether the caller may look up entries in it. */
  READABLE("_n", Namespaces.RNS_11, "readable"),
  /** Whether the caller may add and remove entries. */
  WRITABLE("_n", Namespaces.RNS_11, "writable"),
  /** The number of elements of an iterator, as far as known. */
  ITERATOR_SIZE("_t", Namespaces.ITERATOR, "elementCount"),
  /** The recommended number of elements per request. */
  PREFERRED_BLOCK_SIZE("_t", Namespaces.ITERATOR, "preferredBlockSize");

  private static final List<Property> OF_DIRECTORIES =
      List.of(
          CURRENT_TIME, TERMINATION_TIME, ELEMENT_COUNT, CREATE_TIME, ACCESS_TIME, MODIFICATION_TIME, READABLE,
          WRITABLE);
  private static final List<Property> OF_ITERATORS =
      List.of(CURRENT_TIME, TERMINATION_TIME, ITERATOR_SIZE, PREFERRED_BLOCK_SIZE);

  private final String prefix;
  private final String namespace;
  private final String localName;

  Property(String prefix, String namespace, String localName) {
    this.prefix = prefix;
    this.namespace = namespace;
    this.localName = localName;
  }

  /** The namespace of the property's name. */
  public String namespace() {
    return namespace;
  }

  /** The local name. */
  public String localName() {
    return localName;
  }

  /** The prefix in messages. */
  String prefix() {
    return prefix;
  }

  /** The declaration of the prefix; empty for that of RNS 1.1, which the message declares. */
  String declaration() {
    return namespace.equals(Namespaces.RNS_11) ? "" : " xmlns:" + prefix + "=\"" + namespace + "\"";
  }

  /** The properties of a kind of resource. */
  public static List<Property> of(ResourceTarget resource) {
    return resource.iterator().isPresent() ? OF_ITERATORS : OF_DIRECTORIES;
  }

  static @Nullable Property named(String namespace, String localName) {
    for (Property property : values()) {
      if (property.localName.equals(localName) && property.namespace.equals(namespace)) {
        return property;
      }
    }
    return null;
  }

  /** The value for a directory with counted entries; empty for nil. */
  public Optional<String> of(VirtualDirectory directory, Instant now) {
    return switch (this) {
      case CURRENT_TIME -> Optional.of(now.toString());
      // There is no number for a caller who may not list the directory.
      case ELEMENT_COUNT -> Optional.of(Long.toString(Math.max(0, directory.entries())));
      case CREATE_TIME -> Optional.of(directory.created().toString());
      case MODIFICATION_TIME -> Optional.of(directory.modified().toString());
      case READABLE -> Optional.of(Boolean.toString(directory.entries() >= 0));
      case WRITABLE -> Optional.of("true");
      case TERMINATION_TIME, ACCESS_TIME, ITERATOR_SIZE, PREFERRED_BLOCK_SIZE -> Optional.empty();
    };
  }

  /** The value for an iterator; empty for nil. */
  public Optional<String> of(Iterators.State iterator, Instant now) {
    return switch (this) {
      case CURRENT_TIME -> Optional.of(now.toString());
      case TERMINATION_TIME -> Optional.of(iterator.end().toString());
      case ITERATOR_SIZE -> Optional.of(Long.toString(iterator.size()));
      case PREFERRED_BLOCK_SIZE -> Optional.of(Integer.toString(Limits.DEFAULT_PAGE_ENTRIES));
      case ELEMENT_COUNT, CREATE_TIME, ACCESS_TIME, MODIFICATION_TIME, READABLE, WRITABLE -> Optional.empty();
    };
  }
}
