package io.rns.wire;

import io.rns.api.Cursor;
import java.util.Optional;

/**
 * The {@code x:Page} header of a request: return one page of a listing instead of the whole.
 *
 * @param size the maximum number of entries
 * @param cursor where the page begins; empty for the first page
 */
public record PageOption(int size, Optional<Cursor> cursor) {}
