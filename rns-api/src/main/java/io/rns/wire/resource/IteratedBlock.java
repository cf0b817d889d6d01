package io.rns.wire.resource;

import java.util.List;

/**
 * The response to a request for the next elements of an iterator, from any server.
 *
 * @param size the number of elements of the iterator
 * @param elements the elements, in order
 */
public record IteratedBlock(long size, List<Element> elements) {
  public IteratedBlock {
    elements = List.copyOf(elements);
  }

  /**
   * One element.
   *
   * @param index its index in the iterator
   * @param xml its content: self-contained XML, in RNS 1.1 one {@code rns:RNSEntryResponseType}
   */
  public record Element(long index, String xml) {}
}
