import type { Program } from '../../../server/src/scripts/scripting/registry/program.ts'
import { defaultLimits } from '../../../server/src/scripts/scripting/registry/solution.ts'

/** The same small handler three times: an event of a device in, what an alarm needs out. */

export type Calls = {
  readonly inFlight: number
  readonly seconds: number
  /** Ends after so many calls instead; those that are under way are waited for. */
  readonly callsMax?: number
  /** True if the handler calls a service, once. */
  readonly asks: boolean
}

export type Called = {
  readonly calls: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** As `planned-events.ts` makes it of a write. */
export const event = {
  type: 'data_in',
  identity: 'pump-0042',
  ip: '10.20.30.40',
  timestamp: 1_795_000_000_000_000,
  connection_id: '',
  protocol: 'http',
  tags: [{ name: 'site', value: 'north' }],
  payload: [{ timestamp: 1_795_000_000_000_000, values: { temperature: '21.5' } }],
}

export const result = { identity: 'pump-0042', alarm: false, fahrenheit: 70.7 }

const look = `
  local degrees = tonumber(event.payload[1].values.temperature)
  local seen = {identity = event.identity, alarm = degrees > 90, fahrenheit = degrees * 1.8 + 32}`

export const program: Program = {
  ...{ businessId: 'bench', solutionId: 'bench', version: 1, services: ['bench'] },
  chunks: [
    { name: 'handle.lua', source: `${look} return seen`, role: handler('handle') },
    { name: 'ask.lua', source: `${look} Bench.get{key = "k"} return seen`, role: handler('ask') },
  ],
  limits: defaultLimits(),
}

function handler(defines: string) {
  return { kind: 'handler', defines, parameters: ['event'] } as const
}

const decoded = `local event = cjson.decode(ARGV[1]) ${look}`
export const redisScripts = {
  handle: `${decoded} return cjson.encode(seen)`,
  ask: `${decoded} redis.call('GET', KEYS[1]) return cjson.encode(seen)`,
}

const js = `
  const degrees = Number(event.payload[0].values.temperature)
  const seen = {identity: event.identity, alarm: degrees > 90, fahrenheit: degrees * 1.8 + 32}`
export const vmSource = `
  function handle(event) { ${js}; return seen }
  async function ask(event) { ${js}; await get('k'); return seen }`

const sampleEvery = 16

/** Keeps so many calls under way until the time is up, each begun where one has ended. */
export async function keepCalling(
  { inFlight, seconds, callsMax = Number.POSITIVE_INFINITY }: Calls,
  call: (slot: number) => Promise<unknown>,
): Promise<Called> {
  const waited: number[] = []
  let calls = 0
  const start = performance.now()
  const end = start + seconds * 1_000
  const slot = async (_: unknown, at: number) => {
    for (let turn = at; calls < callsMax && performance.now() < end; turn += 1) {
      const beganMs = turn % sampleEvery === 0 ? performance.now() : 0
      await call(at)
      calls += 1
      if (beganMs > 0) waited.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, slot))
  waited.sort((a, b) => a - b)
  return {
    calls,
    perSecond: (calls * 1_000) / (performance.now() - start),
    p50Ms: waited[Math.floor(waited.length * 0.5)] ?? Number.NaN,
    p99Ms: waited[Math.floor(waited.length * 0.99)] ?? Number.NaN,
  }
}
