/** Attacks from outside, on the service as it is run. */
@NullMarked
package io.rns.server.adversary;

import org.jspecify.annotations.NullMarked;
