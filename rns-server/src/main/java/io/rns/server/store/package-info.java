/**
 * The database: connections, schema, and one class per table with all of its SQL. Nothing outside this package knows
 * SQL.
 *
 * <p>Entry class: {@link io.rns.server.store.Database}, which is thread-safe; what it hands to a piece of work belongs
 * to that work's thread.
 */
@NullMarked
package io.rns.server.store;

import org.jspecify.annotations.NullMarked;
