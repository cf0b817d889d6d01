/** Tests of the messages: vectors by hand, round trips, hostile bytes. */
@NullMarked
package io.rns.rserpool;

import org.jspecify.annotations.NullMarked;
