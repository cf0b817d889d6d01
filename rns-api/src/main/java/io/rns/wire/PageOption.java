package io.rns.wire;

import io.rns.api.Cursor;
import java.util.Optional;

/**
 * The {@code x:Page} header of a request: answer one page of a listing instead of all of it.
 *
 * @param size the most entries to answer
 * @param cursor where the page begins; empty for the first
 */
public record PageOption(int size, Optional<Cursor> cursor) {}
