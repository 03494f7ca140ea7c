"""A scheduler and many workers, simulated: how much of the workers' time is work, for chunks of some length.

The scheduler does one thing at a time. A worker that ends a chunk waits until the scheduler has written that down and given it the
next one, which takes SECONDS of the scheduler; a few chunks that are given ahead hide the way, not the queue. Runs take unequal time:
the time of a chunk is drawn from a gamma distribution with the mean and the variance that the sum of its runs has.

    scheduler.py [SECONDS OF A TASK] [SECONDS OF A RUN] [SPREAD OF A RUN]
"""

import heapq
import random
import sys


def simulated(workers, chunks, task, chunk, shape, ahead=2):
    """The share of the time in which workers work."""
    draw = random.Random(1)
    free = 0.0  # when the scheduler can do the next thing
    waiting = [0.0] * workers  # when a worker has ended what it has
    given = [(0.0, worker) for worker in range(workers) for _ in range(ahead)]  # requests for a chunk
    heapq.heapify(given)
    done = work = 0.0
    count = 0
    while given and count < chunks:
        asked, worker = heapq.heappop(given)
        free = max(free, asked) + task
        length = chunk * draw.gammavariate(shape, 1.0 / shape)
        begin = max(free, waiting[worker])
        waiting[worker] = begin + length
        heapq.heappush(given, (waiting[worker], worker))
        work += length
        done = max(done, waiting[worker])
        count += 1
    return work / (workers * done)


def main():
    task = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0018
    run = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0003
    spread = float(sys.argv[3]) if len(sys.argv) > 3 else 0.3
    print(f"a task costs {1e3 * task:.2f} ms of the scheduler, a run {1e6 * run:.0f} us, give or take {spread:.0%}")
    print("seconds of a chunk:      " + "".join(f"{c:>8}" for c in (0.05, 0.25, 1, 2, 4, 10, 30)))
    for workers in (10, 100, 1000):
        shares = []
        for chunk in (0.05, 0.25, 1, 2, 4, 10, 30):
            runs = max(1.0, chunk / run)
            shares.append(simulated(workers, 40 * workers, task, chunk, runs / spread**2))
        limit = workers * task
        print(f"{workers:5} workers work    " + "".join(f"{share:8.1%}" for share in shares) + f"   limit at {limit:.2f} s")


if __name__ == "__main__":
    main()
