/**
 * Test fixtures that other modules share: the reference implementation {@link io.rns.api.ModelNameService} and the
 * contract tests of every service.
 *
 * <p>Entry classes: {@link io.rns.api.NameServiceContract} and {@link io.rns.api.ModelNameService}, which is safe for
 * use by many threads.
 */
@NullMarked
package io.rns.api;

import org.jspecify.annotations.NullMarked;
