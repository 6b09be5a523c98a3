package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortCommandsContract;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class SpeedTrialTest {
  abstract static class Ctx extends PortCommandsContract {
    static PortContext of() {
      return new Ctx() {
        @Override
        protected DriverPort open(RedisServers s, ConnectionSettings c, PortContext p) {
          throw new UnsupportedOperationException();
        }
      }.context();
    }
  }

  static byte[] b(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void speed() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisClient client =
            RedisClient.create(RedisURI.create("redis://127.0.0.1:" + server.port()))) {
      LockUrl url = LockUrl.parse("lock:redis://127.0.0.1:" + server.port());
      DriverPort port =
          LettucePorts.open(RedisServers.of(url), ConnectionSettings.of(url), Ctx.of());
      var bare = client.connect(ByteArrayCodec.INSTANCE);
      String script =
          "redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000) return {1, ARGV[1], redis.call('INCR', KEYS[1] .. 'n')}";
      String sha = bare.sync().scriptLoad(script);
      byte[][] keys = new byte[16][];
      for (int i = 0; i < 16; i++) keys[i] = b("key" + i);
      byte[] arg = b("token-token-token-token");
      IntConsumer viaBare =
          t -> {
            try {
              bare.async().evalsha(sha, ScriptOutputType.MULTI, new byte[][] {keys[t]}, arg).get();
            } catch (Exception e) {
              throw new RuntimeException(e);
            }
          };
      IntConsumer viaPort =
          t -> {
            try {
              port.send(keys[t], RedisCommand.of("EVALSHA", b(sha), b("1"), keys[t], arg))
                  .toCompletableFuture()
                  .get();
            } catch (Exception e) {
              throw new RuntimeException(e);
            }
          };
      for (int threads : new int[] {1, 16}) {
        for (int i = 0; i < 3; i++) {
          run(threads, viaBare, 1500);
          run(threads, viaPort, 1500);
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          double x = run(threads, viaBare, 600);
          double y = run(threads, viaPort, 600);
          ratios.add(y / x);
          System.out.printf(
              "SPEED %d threads: bare %.0f port %.0f ratio %.3f; cpu us/op %.2f %.2f%n",
              threads, x, y, y / x, 1e6 / x, 1e6 / y);
        }
        ratios.sort(null);
        System.out.printf(
            "SPEED %d threads median ratio %.3f%n", threads, (ratios.get(7) + ratios.get(8)) / 2);
      }
      port.close();
    }
  }

  static final com.sun.management.OperatingSystemMXBean OS =
      (com.sun.management.OperatingSystemMXBean)
          java.lang.management.ManagementFactory.getOperatingSystemMXBean();

  static double run(int threads, IntConsumer call, long millis) throws Exception {
    AtomicLong count = new AtomicLong();
    long end = System.nanoTime() + millis * 1_000_000;
    long begin = OS.getProcessCpuTime();
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int me = t;
      Thread thread =
          new Thread(
              () -> {
                long n = 0;
                while (System.nanoTime() < end) {
                  call.accept(me);
                  n++;
                }
                count.addAndGet(n);
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) thread.join();
    return count.get() * 1e9 / (OS.getProcessCpuTime() - begin);
  }
}
