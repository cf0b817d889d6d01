/** Tests of the SOAP endpoint: both entrances get the same messages and must give the same answers. */
@NullMarked
package io.rns.server.soap;

import org.jspecify.annotations.NullMarked;
