/**
 * The report of a load as files to keep: a table of comma-separated values, and a page with plots that needs nothing
 * else.
 *
 * <p>Entry classes: {@link io.rns.loadtest.page.LoadTable} and {@link io.rns.loadtest.page.LoadPage}; both are without
 * state.
 */
@NullMarked
package io.rns.loadtest.page;

import org.jspecify.annotations.NullMarked;
