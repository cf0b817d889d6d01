/**
 * Who a caller is: credentials and their verification, and who administers a service. What a caller may do is decided
 * elsewhere.
 */
@NullMarked
package io.rns.identity;

import org.jspecify.annotations.NullMarked;
