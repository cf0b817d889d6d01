package io.rns.rserpool;

import java.util.Optional;

/**
 * A user's report that an element is unreachable, as one registrar forwards it to another.
 *
 * @param element the element
 * @param reporter a number of the user's host, so that its reports count once; other implementations name none
 */
public record UnreachableElement(ElementName element, Optional<Long> reporter) {}
