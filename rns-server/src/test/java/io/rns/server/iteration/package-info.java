@NullMarked
package io.rns.server.iteration;

import org.jspecify.annotations.NullMarked;
