/** Clients that toolkits make of the service's description, against the service in GlassFish. */
@org.jspecify.annotations.NullMarked
package io.rns.server.foreign;
