import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import { createLogger } from '../../../foundation/kernel/index.ts'
import type { Program, ScriptLimits } from '../registry/program.ts'
import { defaultLimits } from '../registry/solution.ts'
import { createScriptHost } from './create-host.ts'
import type { HostEnd, HostHooks, ScriptHost, ServiceRequest } from './host.ts'
import type { ScriptValue } from './value.ts'

function openHost(t: TestContext, workers = 1, more: Partial<HostHooks> = {}): ScriptHost {
  const { callService = async () => null, log = () => {} } = more
  const hooks = { callService, log }
  const host = createScriptHost({ hooks, logger: createLogger('silent'), workers })
  atEnd(t, () => host.close())
  return host
}

type Said = { limits?: Partial<ScriptLimits> }

function program(solutionId: string, source: string, { limits = {} }: Said = {}): Program {
  return {
    businessId: 'b',
    solutionId,
    version: 1,
    services: ['http'],
    chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } }],
    limits: { ...defaultLimits(), ...limits },
  }
}

function call(host: ScriptHost, given: Program, handler: string): Promise<HostEnd> {
  const context = { solution_id: given.solutionId, tracking_id: 't', service: 'device2' }
  return host.call(given, { handler, args: [], context, depth: 0 })
}

function returned(end: HostEnd): ScriptValue {
  assert.equal(end.kind, 'returned', JSON.stringify(end))
  return end.kind === 'returned' ? end.value : undefined
}

function endedLimit(end: HostEnd): readonly [string | undefined, number | undefined] {
  return end.kind === 'stopped' ? [end.limit, end.error.status] : [end.kind, undefined]
}

/** Returns whether a call has ended. */
function watch(end: Promise<HostEnd>) {
  const watched = { ended: false }
  end.then(() => {
    watched.ended = true
  })
  return watched
}

/** A service that answers the solutions named other at the gate, and all others at once. */
function gated() {
  const asked: string[] = []
  const gate = Promise.withResolvers<null>()
  const callService = ({ program: { solutionId } }: ServiceRequest) => {
    asked.push(solutionId)
    return solutionId.startsWith('other') ? gate.promise : Promise.resolve(null)
  }
  return { asked, gate, callService }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
}

/**
 * While these spin, calls go on that wait for a service in the workers of all others. They cannot
 * be moved, so this shows that these workers stay free, however slow the computer is.
 */
async function assertFree(
  host: ScriptHost,
  { asked, gate }: ReturnType<typeof gated>,
  spinners: readonly Program[],
): Promise<void> {
  const before = asked.length
  const others = Array.from({ length: 6 }, (_, at) =>
    program(`other${at}`, waits, { limits: endless }),
  )
  const waiting = others.map((other) => call(host, other, 'wait'))
  while (asked.length < before + others.length) await turn()
  const held = spinners.map((one) => {
    const limits = { ...one.limits, ...endless, cpuMsMax: 20_000 }
    return watch(call(host, { ...one, version: 2, limits }, 'asks'))
  })
  // The others of them may wait behind the one that was first.
  while (asked.length === before + others.length) await turn()
  await turn()
  gate.resolve(null)
  assert.deepEqual((await Promise.all(waiting)).map(returned), Array(6).fill(1))
  assert.deepEqual([...new Set(held.map(({ ended }) => ended))], [false])
}

/** It ends with the host. */
const endless = { wallMsMax: 1e9, cpuMsMax: 1e9 }
const counts = 'function count() n = (n or 0) + 1 return n end'
const spins = 'function spin() while true do end end function asks() Http.get{} spin() end'
const waits = 'function wait() Http.get{} return 1 end function quick() return 1 end'

describe('other solutions beside those that spin', () => {
  it('leaves a call alone that holds its worker: the others go on elsewhere', async (t) => {
    const host = openHost(t)
    const others = Array.from({ length: 5 }, (_, at) => program(`other${at}`, counts))
    for (const other of others) assert.equal(returned(await call(host, other, 'count')), 1)
    const held = watch(call(host, program('spinner', spins, { limits: endless }), 'spin'))
    // There is one worker for them all: what is called now waits behind the call that spins.
    const ends = await Promise.all(others.map((other) => call(host, other, 'count')))
    assert.deepEqual(ends.map(returned), Array(5).fill(1), 'their machines are new')
    assert.equal(held.ended, false)
  })

  it('runs a call on that waits in a held worker, when what holds it has ended', async (t) => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<null>()
    const ask = () => {
      asked.resolve()
      return answer.promise
    }
    const host = openHost(t, 1, { callService: ask })
    const other = program('other', waits)
    const order: string[] = []
    const waiting = call(host, other, 'wait').finally(() => order.push('waits'))
    await asked.promise
    const limits = { ...endless, cpuMsMax: 600 }
    const spinner = program('spinner', spins, { limits })
    const spinning = call(host, spinner, 'spin').finally(() => order.push('spins'))
    // Calls that were not begun go elsewhere.
    assert.equal(returned(await call(host, other, 'quick')), 1)
    answer.resolve(null)
    assert.equal(returned(await waiting), 1)
    assert.deepEqual(endedLimit(await spinning), ['cpu', 504])
    assert.deepEqual(order, ['spins', 'waits'])
  })

  it('gives back what has ended before a call that holds the worker', async (t) => {
    const host = openHost(t)
    const others = Array.from({ length: 5 }, (_, at) => program(`other${at}`, counts))
    for (const other of others) await call(host, other, 'count')
    // They go to the worker together, and are begun in this order.
    const ends = others.map((other) => call(host, other, 'count'))
    const held = watch(call(host, program('spinner', spins, { limits: endless }), 'spin'))
    // They were begun, so they are not moved: what is kept back there never comes.
    assert.deepEqual([...new Set((await Promise.all(ends)).map(({ kind }) => kind))], ['returned'])
    assert.equal(held.ended, false)
  })

  it('lets solutions that spin take no more than their own workers', async (t) => {
    const service = gated()
    const host = openHost(t, 2, service)
    const spinners = [1, 2, 3, 4].map((at) => program(`spinner${at}`, spins))
    // Their first run is remembered: none of them has a worker with others from now on.
    await Promise.all(spinners.map((one) => call(host, one, 'spin')))
    await assertFree(host, service, spinners)
  })

  for (const [limit, limits] of [
    ['cpu', { ...endless, cpuMsMax: 600 }],
    ['time', { ...endless, wallMsMax: 2_000 }],
    ['memory', endless],
  ] as const) {
    it(`moves a solution apart that was ended by ${limit}`, async (t) => {
      const service = gated()
      const host = openHost(t, 1, service)
      const source = `${spins} function hoard() local t = {} while true do t = {t, {}} end end`
      const given = program('spinner', source, { limits })
      const end = await call(host, given, limit === 'memory' ? 'hoard' : 'spin')
      assert.equal(endedLimit(end)[0], limit)
      await assertFree(host, service, [given])
    })
  }

  it('lets solutions that spin take turns: one of many calls holds up no other', async (t) => {
    const host = openHost(t)
    // Each call takes as much CPU as it may, on any machine.
    const limits = { ...endless, cpuMsMax: 60 }
    const busy = program('busy', spins, { limits })
    const modest = program('modest', spins, { limits })
    for (const one of [busy, modest]) await call(host, one, 'spin')
    const all = Array.from({ length: 60 }, () => watch(call(host, busy, 'spin')))
    await call(host, modest, 'spin')
    await call(host, modest, 'spin')
    const ended = all.filter((one) => one.ended).length
    assert.ok(ended < 20, `${ended} of 60 calls came first`)
  })

  it('runs a call once that is taken back from a worker and given to it again', async (t) => {
    let runs = 0
    const log = () => {
      runs += 1
    }
    const host = openHost(t, 1, { log })
    const hog = program('hog', spins, { limits: { ...endless, cpuMsMax: 40 } })
    const other = program('other', 'function count() print("runs") end')
    await call(host, other, 'count')
    // The hog moves apart in the midst of these, and the worker's calls are sent on.
    const all = Array.from({ length: 40 }, () => [
      call(host, hog, 'spin'),
      call(host, other, 'count'),
    ]).flat()
    const ends = await Promise.all(all)
    const kinds = Object.groupBy(ends, (end) => endedLimit(end)[0] ?? '')
    assert.deepEqual([kinds.cpu?.length, kinds.returned?.length], [40, 40])
    assert.equal(runs, 41)
  })
})
