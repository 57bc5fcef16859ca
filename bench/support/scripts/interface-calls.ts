import assert from 'node:assert/strict'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from '../platform/instance.ts'
import {
  joinByInterface,
  judge,
  makeSolution,
  registerService,
  runHandler,
} from '../platform/solutions.ts'
import { type Called, keepCalling } from './script-work.ts'

/** A solution that calls another one: through the interface, and past it. */

export type InterfaceCalls = {
  readonly inFlight: number
  readonly seconds: number
  readonly way: 'interface' | 'direct'
  /** Calls that one handler makes, one after the other. */
  readonly each: number
}

let instance: Instance | undefined
let businessId = ''

async function open(address: Address): Promise<void> {
  instance = await openInstance(address)
  const { platform } = instance
  const { api } = platform.scripting
  businessId = (await platform.accounts.createBusiness({ name: 'Bench' })).id
  // The cost of the interface: the same two handlers, with nothing looked up, checked or counted.
  registerService(platform, 'direct', {
    async judge({ solutionId, depth }, argument) {
      const target = { businessId, solutionId: 'judge', service: 'interface', event: 'judge' }
      const ended = await api.run({
        ...{ ...target, argument, callerId: solutionId, depth: depth + 1 },
      })
      return ended.kind === 'returned' ? ended.value : { ...ended.error }
    },
  })
  await makeSolution(platform, businessId, 'judge', {})
  await makeSolution(platform, businessId, 'app', { bench_go: asking })
  await joinByInterface(platform, businessId, ['judge', 'app'], judge)
}

const asking = `
  local last
  for turn = 1, event.each do
    local reading = {identity = "pump", celsius = turn + 0.5}
    if event.way == "interface" then last = Judge.judge(reading)
    else last = Direct.judge(reading) end
    if last.error then error(last.error) end
  end
  return last`

async function run({ inFlight, seconds, way, each }: InterfaceCalls): Promise<Called> {
  assert(instance !== undefined)
  const { platform } = instance
  const call = () => runHandler(platform, businessId, 'app', { way, each })
  assert.deepEqual(JSON.parse(JSON.stringify(await call())), {
    ...{ fahrenheit: (each + 0.5) * 1.8 + 32, alarm: each + 0.5 > 90 },
  })
  const called = await keepCalling({ inFlight, seconds, asks: true }, call)
  return { ...called, calls: called.calls * each, perSecond: called.perSecond * each }
}

answerParent({ open, run }, async () => {
  await instance?.platform.close()
  await instance?.removeFolder()
})
