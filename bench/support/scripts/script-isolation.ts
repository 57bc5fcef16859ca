import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createContext, Script } from 'node:vm'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import type { Program } from '../../../server/src/scripts/scripting/registry/program.ts'
import { defaultLimits } from '../../../server/src/scripts/scripting/registry/solution.ts'
import { createScriptHost } from '../../../server/src/scripts/scripting/runtime/create-host.ts'
import type { ScriptHost } from '../../../server/src/scripts/scripting/runtime/host.ts'
import { answerParent } from '../frame/child.ts'

/** A side of the bench of neighbours: the host, or node:vm under a time-out. */

export type Neighbours = {
  readonly seconds: number
  /** Solutions that spin all the time, each one call after the other. */
  readonly spinners: number
  readonly spin: string
}

export type Waited = {
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly loopP99Ms: number
}

const neighbours = 4
const pauseMs = 2
const nsPerMs = 1e6
const host: ScriptHost = createScriptHost({
  ...{ hooks: { callService: async () => null, log: () => {} }, logger: createLogger('silent') },
})
let rounds = 0

function makeProgram(solutionId: string, source: string): Program {
  const chunks = [{ name: 'main.lua', source, role: { kind: 'plain' } as const }]
  return {
    ...{ businessId: 'bench', solutionId, version: 1, services: [], limits: defaultLimits() },
    chunks,
  }
}

function makeCall(program: Program): () => Promise<unknown> {
  const context = { solution_id: program.solutionId, tracking_id: 't', service: 'bench' }
  return () => host.call(program, { handler: 'handle', args: [], context, depth: 0 })
}

/** Spinners are new in each round: their first calls, of which nobody knows yet, are among them. */
function throughHost(asked: Neighbours): Promise<Waited> {
  rounds += 1
  const spin = `function handle() ${asked.spin} end`
  return measure(asked, {
    neighbour: (at) => makeCall(makeProgram(`neighbour${at}`, 'function handle() return 1 end')),
    spinner: (at) => makeCall(makeProgram(`spinner${at}of${rounds}`, spin)),
  })
}

function throughVm(asked: Neighbours): Promise<Waited> {
  const timeout = defaultLimits().cpuMsMax
  const run = (source: string) => {
    const script = new Script(source)
    const context = createContext({})
    return async () => {
      await new Promise((resolve) => setImmediate(resolve))
      script.runInContext(context, { timeout })
    }
  }
  return measure(asked, { neighbour: () => run('1'), spinner: () => run('while (true);') })
}

type Ways = {
  neighbour(at: number): () => Promise<unknown>
  spinner(at: number): () => Promise<unknown>
}

async function measure({ seconds, spinners }: Neighbours, ways: Ways): Promise<Waited> {
  const endMs = performance.now() + seconds * 1_000
  const all = Array.from({ length: neighbours }, (_, at) => ways.neighbour(at))
  for (const call of all) await call()
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const spinning = Array.from({ length: spinners }, async (_, at) => {
    const call = ways.spinner(at)
    while (performance.now() < endMs) await call().catch(() => {})
  })
  const waited: number[] = []
  await Promise.all(
    all.map(async (call) => {
      while (performance.now() < endMs) {
        const beganMs = performance.now()
        await call()
        waited.push(performance.now() - beganMs)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }),
  )
  loop.disable()
  await Promise.all(spinning)
  waited.sort((a, b) => a - b)
  const part = (share: number) => waited[Math.floor(waited.length * share)] ?? Number.NaN
  return {
    calls: waited.length,
    ...{ p50Ms: part(0.5), p99Ms: part(0.99), maxMs: waited.at(-1) ?? Number.NaN },
    loopP99Ms: loop.percentile(99) / nsPerMs,
  }
}

answerParent({ throughHost, throughVm }, () => host.close())
