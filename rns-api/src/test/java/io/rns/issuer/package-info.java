/** For tests: an issuer of tokens, a real HTTP server with a discovery document and keys, and a certificate. */
@NullMarked
package io.rns.issuer;

import org.jspecify.annotations.NullMarked;
