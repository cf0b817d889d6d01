package io.rns.server.audit;

import java.nio.file.Path;

/**
 * The audit log of a server.
 *
 * @param directory where its files are, of this server alone; absolute
 * @param reads whether reads are recorded, too
 * @param bytes the size at which a file is full
 * @param files how many there are at most, the one that is written among them; 2 or more
 * @param refuses whether changes are refused while events cannot be written, rather than events lost
 * @param server the name of the server
 */
public record AuditSettings(Path directory, boolean reads, long bytes, int files, boolean refuses, String server) {}
