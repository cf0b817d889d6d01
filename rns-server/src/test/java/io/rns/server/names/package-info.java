/** Names over plain HTTP. */
@NullMarked
package io.rns.server.names;

import org.jspecify.annotations.NullMarked;
