import { defineBench } from './support/frame/bench.ts'
import {
  compareReached,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, type Measured, type Side } from './support/frame/side.ts'
import type { RedisCalls } from './support/scripts/script-callers.ts'
import type { Called } from './support/scripts/script-work.ts'

/**
 * Calls of a small handler through the script host, beside the same handler in Redis, which has no
 * memory limit and stops everything while a script runs, and in node:vm, which isolates nothing.
 * Once as it is, once with one service call (a GET in Redis, a promise in node:vm).
 */
const inFlights = [50, 128]
const names = {
  ours: 'script host',
  redisInC: 'Redis, redis-benchmark',
  redis: 'Redis, ioredis, a connection each',
  redisShared: 'Redis, ioredis, one connection',
  vm: 'node:vm, time-out',
}
const noRedis = 'no Redis answers at 127.0.0.1:6379'

export const bench = defineBench({
  name: 'script-call',
  title: ({ rounds, seconds }) => `Script calls, ${rounds} rounds of ${seconds} s a side`,
  options: {},
  goals: {
    redis: { subject: 'script call, 50 in flight', unit: 'of Redis', atLeast: 0.8 },
    service: { subject: 'script call with a service call', unit: 'per second', atLeast: 40_000 },
  },
  alone: true,
  async measure({ given, start, record }) {
    const host = start('scripts/script-callers', given.profileDir)
    const vm = start('scripts/script-callers')
    const redis = start('scripts/script-callers')
    const hasRedis = await redis.ask<boolean>('findRedis')
    if (!hasRedis) {
      print(`Redis: did not run, ${noRedis}`)
      record('redis', noRedis)
    }
    for (const inFlight of inFlights) {
      for (const asks of [false, true]) {
        const sides = [
          side(names.ours, host, 'callHost', { inFlight, asks }),
          ...(hasRedis ? redisSides(redis, { inFlight, asks }) : []),
          side(names.vm, vm, 'callVm', { inFlight, asks }),
        ]
        // The first calls are slow, and are not measured.
        for (const one of sides) await one.measure(1)
        print(`\n${inFlight} in flight, ${asks ? 'one' : 'no'} service call`)
        const measured = await alternate(sides, given.rounds, given.seconds)
        report(measured)
        if (inFlight !== inFlights[0]) continue
        if (asks) record('service', { figure: toRates(measured.get(names.ours)) })
        else if (hasRedis) {
          record('redis', compareReached(measured, names.ours, { peer: names.redisInC }))
        }
      }
    }
  },
})

function redisSides(redis: Child, asked: Asked): Side[] {
  const ask = (connections: number) => ({ ...asked, connections })
  return [
    // Its client reports no CPU.
    side(names.redisInC, redis, 'callRedisInC', asked),
    side(names.redis, redis, 'callRedis', ask(asked.inFlight)),
    side(names.redisShared, redis, 'callRedis', ask(1)),
  ]
}

type Asked = Pick<RedisCalls, 'inFlight' | 'asks'>
type Answer = Called & { readonly serverCpuUs?: number }

/** The CPU is that of all who work on a call: with Redis the client's and the server's. */
function side(name: string, child: Child, question: string, asked: Asked): Side {
  return {
    name,
    async measure(lasting) {
      const before = await readCpuUs(child)
      const called = await child.ask<Answer>(question, { ...asked, seconds: lasting })
      if (name === names.redisInC) return { ...called, cpuUs: Number.NaN }
      const usedUs = (await readCpuUs(child)) - before + (called.serverCpuUs ?? 0)
      return { ...called, cpuUs: usedUs / called.calls }
    },
  }
}

function report(measured: Sides): void {
  const of = (all: readonly Measured[], name: string) => {
    const peer = measured.get(name)
    return peer === undefined ? '' : spread(ratios(toRates(all), toRates(peer)), twoPlaces)
  }
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    of(all, names.redisInC),
    of(all, names.redis),
    of(all, names.redisShared),
    of(all, names.vm),
  ])
  print(table([['', ...measuredHead, 'of Redis', 'each', 'one', 'of vm'], ...rows]))
}

if (import.meta.main) await runBench(bench)
