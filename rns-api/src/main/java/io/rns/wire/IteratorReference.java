package io.rns.wire;

import io.rns.xml.XmlBuffer;

/**
 * The endpoint reference of an iterator.
 *
 * @param serviceUrl the address of the service
 * @param id the identity of the iterator, sent as reference parameter {@code x:Iterator}
 */
public record IteratorReference(String serviceUrl, String id) {
  /** Appends the reference as an element of the given name; the prefixes of RNS 1.1 must be declared. */
  public void writeTo(XmlBuffer out, String element) {
    out.raw("<").raw(element).raw("><_a:Address>").text(serviceUrl);
    out.raw("</_a:Address><_a:ReferenceParameters><_x:Iterator>").text(id);
    out.raw("</_x:Iterator></_a:ReferenceParameters></").raw(element).raw(">");
  }
}
