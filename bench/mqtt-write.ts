import { defineBench } from './support/frame/bench.ts'
import { compareReached, formatShares, measuredCells, measuredHead } from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, type Side } from './support/frame/side.ts'
import type { LoadResult } from './support/load/generator.ts'
import type { MqttLoad } from './support/load/mqtt-generator.ts'
import { isInstalled } from './support/peers/find.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Writes of devices over MQTT with QoS 1, acknowledged when they are durable, beside aedes, which
 * acknowledges the same messages and keeps nothing.
 */
const names = {
  ours: 'MQTT write, durable',
  logOnly: 'the same, no consumer runs',
  peer: 'aedes, keeps nothing',
}

export const bench = defineBench({
  name: 'mqtt-write',
  title: ({ connections, rounds, seconds }) =>
    `Writes over MQTT, ${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 256 },
  goals: {
    peer: { subject: 'MQTT write with QoS 1, durable', unit: 'of aedes', atLeast: 0.5 },
  },
  async measure({ given, start, database, record }) {
    const generator = start('load/mqtt-generator')
    const devices = given.connections
    const platformSide = async (name: string, consumers: boolean) => {
      const server = start('platform/platform', given.profileDir)
      const asked = { address: await database(), devices, consumers }
      const { mqttPort: port, tokens } = await server.ask<OpenedPlatform>('open', asked)
      const settle = () => server.ask('settle')
      return { tokens, side: mqttSide(name, { server, generator, load: { port, tokens } }, settle) }
    }
    const ours = await platformSide(names.ours, true)
    const logOnly = await platformSide(names.logOnly, false)
    const sides = [ours.side, logOnly.side]
    if (isInstalled('aedes')) {
      const server = start('peers/aedes')
      const load = { port: await server.ask<number>('open'), tokens: ours.tokens }
      sides.push(mqttSide(names.peer, { server, generator, load }))
    }
    // The first calls are slow, and are not measured.
    for (const side of sides) await side.measure(1)
    const measured = await alternate(sides, given.rounds, given.seconds)
    const rows = [...measured].map(([name, all]) => [
      ...[name, ...measuredCells(all), formatShares(all, measured.get(names.peer))],
    ])
    print(table([['', ...measuredHead, 'of aedes'], ...rows]))
    record('peer', compareReached(measured, names.ours, { peer: names.peer }))
  },
})

type Parts = {
  readonly server: Child
  readonly generator: Child
  readonly load: Pick<MqttLoad, 'port' | 'tokens'>
}

function mqttSide(
  name: string,
  { server, generator, load }: Parts,
  settle: () => Promise<unknown> = async () => {},
): Side {
  return {
    name,
    async measure(seconds) {
      const before = await readCpuUs(server)
      const asked: MqttLoad = { ...load, seconds, topic: '$resource/temperature', payload: '21.5' }
      const result = await generator.ask<LoadResult>('run', asked)
      const usedUs = (await readCpuUs(server)) - before
      await settle()
      return { ...result, cpuUs: usedUs / result.answers }
    },
  }
}

if (import.meta.main) await runBench(bench)
