/**
 * Reading and writing XML without a tree: a bounded pull reader over StAX, a UTF-8 output buffer, and foreign elements
 * preserved as self-contained text.
 *
 * <p>Entry classes: {@link io.rns.xml.XmlPull} and {@link io.rns.xml.XmlBuffer}; neither is thread-safe.
 */
@NullMarked
package io.rns.xml;

import org.jspecify.annotations.NullMarked;
