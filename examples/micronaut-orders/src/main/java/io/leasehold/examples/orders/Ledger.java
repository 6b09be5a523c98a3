package io.leasehold.examples.orders;

import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What was booked for each order. It refuses a token that is older than one it has seen: a holder
 * that slept through the end of its lease does no harm here.
 */
@Singleton
final class Ledger {
  private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(int payments, long token) {}

  /** Books a payment; the comparison and the write are one step. */
  int book(String order, long token) {
    return entries.compute(
            order,
            (id, before) -> {
              if (before != null && before.token > token) {
                throw new IllegalStateException(
                    "the token " + token + " is older than " + before.token);
              }
              return new Entry(before == null ? 1 : before.payments + 1, token);
            })
        .payments;
  }

  int payments(String order) {
    Entry entry = entries.get(order);
    return entry == null ? 0 : entry.payments;
  }
}
