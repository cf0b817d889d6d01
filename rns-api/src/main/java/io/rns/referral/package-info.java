/**
 * Which server of a group a client asks: what servers tell of themselves and each other, the table that a client keeps
 * of it, and the order in which it asks. Nothing here has input or output, a clock or a source of randomness but the
 * one it is given.
 *
 * <p>Entry classes: {@link io.rns.referral.Referral}, which servers tell, {@link io.rns.referral.ReferralTable}, which
 * keeps it, and {@link io.rns.referral.ServerOrder}, which chooses. Every class here is immutable or without state and
 * safe to share between threads.
 */
@NullMarked
package io.rns.referral;

import org.jspecify.annotations.NullMarked;
