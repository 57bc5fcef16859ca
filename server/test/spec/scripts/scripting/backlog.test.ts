import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { makeGate, type Scripted, scripted, withGate } from '../../../fixtures/scripted-platform.ts'

const writes = 'if event.type ~= "data_in" then return end '
const say = 'print(event.identity .. " " .. event.payload[1].values.a)'
const devices = ['one', 'two', 'three']
const count = 20

/** A solution `slow` whose events wait for a gate, `quick` beside it, and writes of each device. */
async function behind(t: Parameters<typeof scripted>[0]) {
  const millrace = await scripted(t, { own: 'starts a second process' })
  const { handling, device, platform, businessId } = millrace
  const gate = withGate(millrace)
  const slow = await handling('slow', `${writes} Gate.pass{} ${say}`)
  // The gate ends the call, however slow the machine is: no limit comes before it.
  const wide = { cpuMsMax: limits.scriptCpuMsMax, wallMsMax: limits.scriptWallMsMax }
  await platform.scripting.solutions.patch(businessId, slow, { limits: wide })
  const quick = await handling('quick', `${writes} ${say}`)
  for (const identity of devices) {
    const one = await device(identity)
    for (let at = 0; at < count; at += 1) await one.write(`a=${at}`)
  }
  await inOrder(millrace, quick)
  const left = async () => (await readStage(millrace, 'scripts.behind'))?.pending ?? 0
  await millrace.until('the slow one is behind', async () => (await left()) > 0)
  // A batch that the stop of a process interrupts is read again, also what is too old by then.
  const taken = async () => (await readStage(millrace, 'scripts'))?.pending === 0
  await millrace.until('it has left all of its events', taken)
  const hasBegun = async () => gate.arrived() === devices.length
  await millrace.until('one event of each device has begun', hasBegun)
  return { ...millrace, slow, gate, left }
}

type Behind = Awaited<ReturnType<typeof behind>>

/** Each event was handled once, those of each device in their order. */
async function inOrder({ printed }: Scripted, solution: string): Promise<void> {
  const lines = await printed(solution, devices.length * count)
  for (const identity of devices) {
    assert.deepEqual(
      lines.filter((line) => line.startsWith(`${identity} `)),
      makeWanted(identity),
    )
  }
}

function makeWanted(identity: string): string[] {
  return Array.from({ length: count }, (_, at) => `${identity} ${at}`)
}

async function readStage({ platform }: Scripted, name: string) {
  const { faults, stages } = await platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  return stages.find(({ stage }) => stage === name)
}

type Platform = Scripted['platform']

/** As a stop of the process does. */
async function stopScripts(platform: Platform): Promise<void> {
  await platform.jobs.stop()
  await platform.scripting.close()
  await platform.jobs.close()
}

/** Before scripts run: a call of a service that is not there yet would fail for good. */
function openGate(platform: Platform): void {
  makeGate(platform).resolve()
}

async function allCounted({ until }: Pick<Scripted, 'until'>, platform: Platform): Promise<void> {
  const verify = () => platform.eventlog.ledger.verify()
  await until('all is counted', async () => {
    const { stages } = await verify()
    const own = stages.filter(({ stage }) => ['scripts', 'scripts.behind'].includes(stage))
    return own.every(({ pending }) => pending === 0)
  })
  await until('all have ended', async () => {
    const { stages } = await verify()
    return stages.every(({ stage, pending }) => stage !== 'deliveries' || pending === 0)
  })
  assert.deepEqual((await verify()).faults, [])
}

/** Returns the lines that the slow solution printed of a device, oldest first. */
async function readLines({ slow, businessId }: Behind, platform: Platform, identity: string) {
  const log = platform.activity.solutions
  await log.flush()
  const page = await log.lines(businessId, slow, { kinds: ['log'], limit: limits.pageMax })
  const texts = page.lines.map(({ text }) => text).reverse()
  return texts.filter((text) => text.startsWith(`${identity} `))
}

describe('a solution that is too slow for the events of its connectors', () => {
  it('finds them in the log, in the order of each device, each once', async (t) => {
    const millrace = await behind(t)
    const { platform, gate, left, until } = millrace
    gate.resolve()
    await inOrder(millrace, millrace.slow)
    await until('it is not behind any more', async () => (await left()) === 0)
    await until('all is counted', async () => {
      const { stages } = await platform.eventlog.ledger.verify()
      return stages.every(({ pending }) => pending === 0)
    })
    const places = await platform.database.rows('select * from scripting_cursor')
    assert.deepEqual(places, [])
  })

  it('goes on after a restart with what it had left', async (t) => {
    const millrace = await behind(t)
    await stopScripts(millrace.platform)
    const { platform } = await millrace.another({ prepare: openGate })
    await allCounted(millrace, platform)
    for (const identity of devices) {
      const own = await readLines(millrace, platform, identity)
      assert.deepEqual(own, makeWanted(identity))
    }
  })

  it('keeps its entries in the log; past an age they are dead letters, which run', async (t) => {
    const millrace = await behind(t)
    const { businessId, slow, until } = millrace
    await stopScripts(millrace.platform)
    assert.ok(limits.logRetentionHours >= limits.scriptBehindHours)
    const aheadMs = (limits.logRetentionHours + 1) * 3_600_000
    const { platform } = await millrace.another({ aheadMs, prepare: openGate })
    const { eventlog, scripting } = platform
    await eventlog.removeOld()
    assert.deepEqual((await eventlog.ledger.verify()).faults, [])
    const list = () => scripting.failures.list(businessId, slow, { limit: limits.pageMax })
    const late = devices.length * (count - 1)
    await until('what had not begun is dead', async () => {
      const { deliveries } = await list()
      return deliveries.filter(({ argument }) => isWrite(argument)).length === late
    })
    const [one] = (await list()).deliveries
    assert.match(one?.error.error ?? '', /^overloaded: the solution was more than 72 hours behind/)
    await scripting.failures.retryAll(businessId, slow)
    await until('all have run', async () => (await list()).deliveries.length === 0)
    await allCounted(millrace, platform)
    for (const identity of devices) {
      const own = await readLines(millrace, platform, identity)
      assert.deepEqual(own.sort(), makeWanted(identity).sort())
    }
  })

  it('that is removed leaves nothing, and what it had left counts as failed', async (t) => {
    const millrace = await behind(t)
    const { platform, businessId, slow, gate, left, until } = millrace
    await platform.scripting.solutions.remove(businessId, slow)
    gate.resolve()
    await until('nothing is left', async () => (await left()) === 0)
    const stage = await readStage(millrace, 'scripts.behind')
    const { taken = 0, done = 0, failed = 0 } = stage ?? {}
    assert.ok(failed > 0)
    assert.equal(taken, done + failed)
  })
})

function isWrite(argument: unknown): boolean {
  return (argument as { readonly type: string }).type === 'data_in'
}
