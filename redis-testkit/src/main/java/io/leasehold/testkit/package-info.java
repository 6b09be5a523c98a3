/**
 * Real redis servers and faults, for tests and the demo: a server is a process (or a container)
 * that can be killed, paused and restarted, alone or as one of replicas, under sentinels or in a
 * cluster; a proxy between client and server delays, drops and cuts, another one adds TLS. Needs a
 * POSIX shell. Knows nothing of locks: no other Leasehold module may be imported here, and no
 * published module may depend on this one.
 */
@NullMarked
package io.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
