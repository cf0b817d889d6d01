/** Tests of the bounds. */
@NullMarked
package io.rns.error;

import org.jspecify.annotations.NullMarked;
