/**
 * {@code lockctl demo}: many processes grab from one packet of money, on servers that it brings
 * along. What they do is in {@link io.leasehold.ctl.demo.GrabberCommand}, which runs in processes
 * of its own; {@link io.leasehold.ctl.demo.Demo} tells them what, and adds up.
 */
@NullMarked
package io.leasehold.ctl.demo;

import org.jspecify.annotations.NullMarked;
