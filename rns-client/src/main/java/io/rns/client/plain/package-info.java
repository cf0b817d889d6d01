/** A name service over servers that know the standards only (RNS 1.0 and 1.1), without any extension of ours. */
@NullMarked
package io.rns.client.plain;

import org.jspecify.annotations.NullMarked;
