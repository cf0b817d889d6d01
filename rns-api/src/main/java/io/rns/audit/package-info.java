/**
 * The format of audit logs, which servers write and tools read: lines of JSON, each with a hash over the line before.
 *
 * <p>Entry class: {@link io.rns.audit.AuditVerification}. Values are immutable; an {@link io.rns.audit.AuditChain} and
 * an {@link io.rns.audit.AuditLines} belong to one thread.
 */
@NullMarked
package io.rns.audit;

import org.jspecify.annotations.NullMarked;
