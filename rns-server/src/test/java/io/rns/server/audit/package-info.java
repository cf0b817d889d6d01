/** Tests of the audit log. */
@NullMarked
package io.rns.server.audit;

import org.jspecify.annotations.NullMarked;
