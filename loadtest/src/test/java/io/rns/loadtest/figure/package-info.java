/** Tests of figures, estimates and claims. */
@NullMarked
package io.rns.loadtest.figure;

import org.jspecify.annotations.NullMarked;
