/** Tests of the simulation: against queueing theory, against slower models, and with itself. */
@NullMarked
package io.rns.loadtest.sim;

import org.jspecify.annotations.NullMarked;
