@NullMarked
package io.rns.loadtest.handlespace;

import org.jspecify.annotations.NullMarked;
