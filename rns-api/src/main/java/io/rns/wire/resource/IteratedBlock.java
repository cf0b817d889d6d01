package io.rns.wire.resource;

import java.util.List;

/**
 * The answer to a request for the next elements of an iterator, as any server writes it.
 *
 * @param size how many elements the iterator has
 * @param elements the elements, in order
 */
public record IteratedBlock(long size, List<Element> elements) {
  /** Copies the elements. */
  public IteratedBlock {
    elements = List.copyOf(elements);
  }

  /**
   * One element.
   *
   * @param index its place among those of the iterator
   * @param xml what it holds: self-contained XML, in RNS 1.1 one {@code rns:RNSEntryResponseType}
   */
  public record Element(long index, String xml) {}
}
