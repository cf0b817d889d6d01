package io.rns.wire.resource;

import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.Limits;
import io.rns.wire.Namespaces;
import io.rns.wire.ResourceTarget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resource properties that the standards give directories and iterators, in the order of their documents. */
public enum Property {
  /** The time of the server. */
  CURRENT_TIME("_l", Namespaces.WSRL, "CurrentTime"),
  /** When the resource ends; nil if it does not by itself. */
  TERMINATION_TIME("_l", Namespaces.WSRL, "TerminationTime"),
  /** How many entries a directory has. */
  ELEMENT_COUNT("_n", Namespaces.RNS_11, "elementCount"),
  /** When it was made. */
  CREATE_TIME("_n", Namespaces.RNS_11, "createTime"),
  /** When it was last read, which is not kept: always nil. */
  ACCESS_TIME("_n", Namespaces.RNS_11, "accessTime"),
  /** When its name, place or metadata last changed; additions and removals in it do not count. */
  MODIFICATION_TIME("_n", Namespaces.RNS_11, "modificationTime"),
  /** Whether the caller may look up in it. */
  READABLE("_n", Namespaces.RNS_11, "readable"),
  /** Whether the caller may add to it and remove from it. */
  WRITABLE("_n", Namespaces.RNS_11, "writable"),
  /** How many elements an iterator has, as far as is known. */
  ITERATOR_SIZE("_t", Namespaces.ITERATOR, "elementCount"),
  /** How many of them a caller does well to ask for at once. */
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

  /** The declaration of the prefix; empty for that of RNS 1.1, which the message has. */
  String declaration() {
    return namespace.equals(Namespaces.RNS_11) ? "" : " xmlns:" + prefix + "=\"" + namespace + "\"";
  }

  /** Those that a resource has. */
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

  /** The value for a directory whose entries were counted; empty for nil. */
  public Optional<String> of(VirtualDirectory directory, Instant now) {
    return switch (this) {
      case CURRENT_TIME -> Optional.of(now.toString());
      case ELEMENT_COUNT -> Optional.of(Long.toString(directory.entries()));
      case CREATE_TIME -> Optional.of(directory.created().toString());
      case MODIFICATION_TIME -> Optional.of(directory.modified().toString());
      case READABLE, WRITABLE -> Optional.of("true");
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
