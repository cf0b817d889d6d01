/** Tests of the messages; {@link io.rns.wire.WireValues} makes values that are hard to carry. */
@NullMarked
package io.rns.wire;

import org.jspecify.annotations.NullMarked;
