/** Tests with real sockets on the loopback interface. */
@NullMarked
package io.rns.association;

import org.jspecify.annotations.NullMarked;
