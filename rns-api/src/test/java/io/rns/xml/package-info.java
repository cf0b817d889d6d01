/** Tests of reading and writing XML. */
@NullMarked
package io.rns.xml;

import org.jspecify.annotations.NullMarked;
