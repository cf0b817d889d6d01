/** Tests of the registrar: its rules by hand, and many registrars, elements and users in a network in virtual time. */
@NullMarked
package io.rns.registrar;

import org.jspecify.annotations.NullMarked;
