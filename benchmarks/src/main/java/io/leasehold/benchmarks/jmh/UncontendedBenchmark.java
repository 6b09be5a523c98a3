package io.leasehold.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Acquires and releases a lock that nobody else wants. */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class UncontendedBenchmark {

  /** One thread: the times of single cycles, for their mean and percentiles. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public void oneThread(Connected connected, OwnLock lock) throws Exception {
    lock.cycle();
  }

  /** 16 threads, each with a lock of its own: how many cycles they do together. */
  @Benchmark
  @Threads(16)
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.SECONDS)
  public void manyLocks(Connected connected, OwnLock lock) throws Exception {
    lock.cycle();
  }
}
