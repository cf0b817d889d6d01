/**
 * The choice of a server within a group: what servers announce, the table of referrals a client keeps, and the order in
 * which it contacts servers. Free of input and output; time and random numbers are parameters.
 *
 * <p>Entry classes: {@link io.rns.referral.Referral}, which servers send, {@link io.rns.referral.ReferralTable}, which
 * stores referrals, and {@link io.rns.referral.ServerOrder}, which chooses. Every class here is immutable or stateless
 * and safe to share between threads.
 */
@NullMarked
package io.rns.referral;

import org.jspecify.annotations.NullMarked;
