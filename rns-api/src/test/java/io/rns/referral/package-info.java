/** Tests of the choice among servers: in virtual time, with random numbers from seeds. */
@org.jspecify.annotations.NullMarked
package io.rns.referral;
