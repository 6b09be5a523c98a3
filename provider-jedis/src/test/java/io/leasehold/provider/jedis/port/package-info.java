/** Tests of the port on Jedis. */
@org.jspecify.annotations.NullMarked
package io.leasehold.provider.jedis.port;
