/** The namespace as resources of plain HTTP, with JSON, for whatever speaks no SOAP. */
@NullMarked
package io.rns.server.names;

import org.jspecify.annotations.NullMarked;
