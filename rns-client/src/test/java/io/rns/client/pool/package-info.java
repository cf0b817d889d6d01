/** Tests of pool elements and users. */
@NullMarked
package io.rns.client.pool;

import org.jspecify.annotations.NullMarked;
