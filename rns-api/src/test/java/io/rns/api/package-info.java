/**
 * Tests of the values and the contract, and what the tests of other modules take from here: the simplest correct
 * {@link io.rns.api.ModelNameService}, the contracts every service is held to, and the rules of the architecture.
 *
 * <p>Entry classes: {@link io.rns.api.NameServiceContract} and {@link io.rns.api.ModelNameService}, which is safe for
 * use by many threads.
 */
@NullMarked
package io.rns.api;

import org.jspecify.annotations.NullMarked;
