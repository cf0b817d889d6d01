package io.rns.server.access;

import java.nio.file.Path;

/**
 * Where a log of lines goes: of accesses, or of DNS questions.
 *
 * @param file the one that is written, absolute; former ones have {@code .1}, {@code .2}, ... behind their names
 * @param bytes the size at which the file is rotated
 * @param files how many there are at most, the one that is written among them; 1 or more
 */
public record LineLogSettings(Path file, long bytes, int files) {}
