import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../test/support/ends.ts'
import { createLogger } from '../kernel/index.ts'
import { createScriptHost } from './create-host.ts'
import type { HostEnd, ScriptHost } from './host.ts'
import type { Program, ScriptLimits } from './program.ts'
import { defaultLimits } from './solution.ts'
import type { ScriptValue } from './value.ts'

function openHost(t: TestContext, workers = 1): ScriptHost {
  const hooks = { ask: async () => null, log: () => {} }
  const host = createScriptHost({ hooks, logger: createLogger('silent'), workers })
  atEnd(t, () => host.close())
  return host
}

type Said = { limits?: Partial<ScriptLimits> }

function program(solutionId: string, source: string, { limits = {} }: Said = {}): Program {
  return {
    ...{ businessId: 'b', solutionId, version: 1, services: [] },
    chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } }],
    limits: { ...defaultLimits, ...limits },
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

function limitOf(end: HostEnd): readonly [string | undefined, number | undefined] {
  return end.kind === 'stopped' ? [end.limit, end.error.status] : [end.kind, undefined]
}

/** Whether a call has ended. */
function watch(end: Promise<HostEnd>) {
  const watched = { ended: false }
  end.then(() => {
    watched.ended = true
  })
  return watched
}

/** It ends with the host. */
const endless = { wallMsMax: 1e9, cpuMsMax: 1e9 }
const counts = 'function count() n = (n or 0) + 1 return n end'
const spins = 'function spin() while true do end end function quick() return 1 end'

describe('neighbours of solutions that spin', () => {
  it('leaves a call alone that holds its worker: the others go on elsewhere', async (t) => {
    const host = openHost(t)
    const others = Array.from({ length: 5 }, (_, at) => program(`other${at}`, counts))
    for (const other of others) assert.equal(returned(await call(host, other, 'count')), 1)
    const held = watch(call(host, program('spinner', spins, { limits: endless }), 'spin'))
    // There is one worker for them all: what is called now waits behind the call that spins.
    for (let round = 1; round <= 4; round += 1) {
      const ends = await Promise.all(others.map((other) => call(host, other, 'count')))
      assert.deepEqual(ends.map(returned), Array(5).fill(round), 'their machines are new')
    }
    assert.equal(held.ended, false)
    assert.equal(returned(await call(host, others[0] ?? assert.fail(), 'count')), 5)
  })

  it('gives back what has ended before a call that holds the worker', async (t) => {
    const host = openHost(t)
    const others = Array.from({ length: 5 }, (_, at) => program(`other${at}`, counts))
    for (const other of others) await call(host, other, 'count')
    // They go to the worker together, and are begun in this order.
    const ends = others.map((other) => call(host, other, 'count'))
    const held = watch(call(host, program('spinner', spins, { limits: endless }), 'spin'))
    assert.deepEqual((await Promise.all(ends)).map(returned), Array(5).fill(2))
    assert.equal(held.ended, false)
  })

  it('lets solutions that spin take no more than their own workers', async (t) => {
    const host = openHost(t, 2)
    const spinners = [1, 2, 3, 4].map((at) => program(`spinner${at}`, spins))
    const other = program('other', counts)
    // What they did once is known: none of them has a worker with others from now on.
    await Promise.all(spinners.map((one) => call(host, one, 'spin')))
    assert.equal(returned(await call(host, other, 'count')), 1)
    const held = spinners.map((one) =>
      watch(call(host, { ...one, version: 2, limits: { ...one.limits, ...endless } }, 'spin')),
    )
    for (let times = 2; times <= 50; times += 1) {
      assert.equal(returned(await call(host, other, 'count')), times, 'it was moved')
    }
    assert.deepEqual([...new Set(held.map(({ ended }) => ended))], [false])
  })

  for (const [limit, limits] of [
    ['cpu', {}],
    ['time', { wallMsMax: 400, cpuMsMax: 1e9 }],
    ['memory', { cpuMsMax: 1e9 }],
  ] as const) {
    it(`moves a solution apart that was ended by ${limit}`, async (t) => {
      const host = openHost(t)
      const source = `${spins} function hoard() local t = {} while true do t = {t, {}} end end`
      const given = program('spinner', source, { limits })
      const other = program('other', counts)
      assert.equal(returned(await call(host, other, 'count')), 1)
      const end = await call(host, given, limit === 'memory' ? 'hoard' : 'spin')
      assert.equal(limitOf(end)[0], limit)
      const held = watch(
        call(host, { ...given, version: 2, limits: { ...given.limits, ...endless } }, 'spin'),
      )
      // It has the worker as before, and its machine: nobody held it up there.
      for (let times = 2; times <= 20; times += 1) {
        assert.equal(returned(await call(host, other, 'count')), times)
      }
      assert.equal(held.ended, false)
    })
  }

  it('lets solutions that spin take turns: one of many calls holds up no other', async (t) => {
    const host = openHost(t)
    const source =
      'function spin() local from = os.clock() while os.clock() - from < 0.06 do end end'
    const busy = program('busy', source)
    const modest = program('modest', source)
    for (const one of [busy, modest]) await call(host, one, 'spin')
    const all = Array.from({ length: 60 }, () => watch(call(host, busy, 'spin')))
    await call(host, modest, 'spin')
    await call(host, modest, 'spin')
    const ended = all.filter((one) => one.ended).length
    assert.ok(ended < 20, `${ended} of 60 calls came first`)
  })

  it('runs a call once that is taken back from a worker and given to it again', async (t) => {
    const host = openHost(t)
    const hog = program(
      'hog',
      'function spin() local from = os.clock() while os.clock() - from < 0.04 do end end',
    )
    const other = program('other', counts)
    assert.equal(returned(await call(host, other, 'count')), 1)
    // The hog moves apart in the midst of these, and the worker's calls are sent on.
    const all = Array.from({ length: 40 }, () => [
      call(host, hog, 'spin'),
      call(host, other, 'count'),
    ]).flat()
    const ends = await Promise.all(all)
    assert.deepEqual([...new Set(ends.map(({ kind }) => kind))], ['returned'])
    assert.equal(returned(await call(host, other, 'count')), 42)
  })
})
