/**
 * The audit log: a line for each change that callers ask for and each refusal, if wanted also for each read, with a
 * hash over the line before ({@link io.rns.audit.AuditVerification}). Off unless a directory is named.
 *
 * <p>Entry class: {@link io.rns.server.audit.AuditFilter}, which begins and ends a
 * {@link io.rns.server.audit.RequestAudit} for every request, whatever answers it; layers below add what they know. One
 * thread writes ({@link io.rns.server.audit.AuditLog}); requests hand their events over by a queue that is bounded in
 * bytes and never wait. Safe for use by many threads, but for a {@code RequestAudit}, which goes with its request.
 */
@NullMarked
package io.rns.server.audit;

import org.jspecify.annotations.NullMarked;
