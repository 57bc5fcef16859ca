import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { SolutionLine } from '../../../../src/log/activity/index.ts'
import { activityLimits } from '../../../../src/log/activity/index.ts'
import { scripted } from '../../../fixtures/scripted-platform.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [millrace, onInstance] = sharedFixture((suite) => scripted(suite, { movesClock: true }))

function run(solutionId: string, argument: string) {
  const { platform, businessId } = millrace
  const { api } = platform.scripting
  const log = platform.activity.solutions
  const call = { businessId, solutionId, service: 'device2', event: 'event', argument }
  return api.run({ ...call, trackingId: `track-${argument}` }).finally(() => log.flush())
}

const pickParts = ({ kind, level, text }: SolutionLine) => [kind, level, text]

describe('the log of a solution: what it holds of calls', () => {
  onInstance()

  it('has what scripts printed and logged, and how each call ended', async () => {
    const source = 'print("p", event) log.warn("w") if event == "bad" then error("oh") end'
    const pump = await millrace.handling('pump', source)
    const log = millrace.platform.activity.solutions
    await run(pump, 'good')
    await run(pump, 'bad')
    const { lines } = await log.lines(millrace.businessId, pump)
    assert.deepEqual(lines.map(pickParts).reverse(), [
      ['log', 'info', 'p\tgood'],
      ['log', 'warn', 'w'],
      ['call', 'info', 'The call ended.'],
      ['log', 'info', 'p\tbad'],
      ['log', 'warn', 'w'],
      ['error', 'error', 'device2_event.lua:1: oh'],
    ])
    const [failed = assert.fail(), , printed = assert.fail()] = lines
    assert.equal(failed.trackingId, 'track-bad')
    assert.deepEqual([printed.service, printed.handler], ['device2', 'handle_device2_event'])
    assert.equal(failed.usage?.serviceCalls, 0)
    assert.ok((failed.usage?.wallMs ?? 0) > 0)
  })

  it('shows where in the scripts an error was raised, which a caller does not see', async () => {
    const pump = await millrace.handling(
      'pump',
      'local function check(v) error{error = "no " .. v, status = 422} end\ncheck(event)',
    )
    const { businessId, platform } = millrace
    const { error } = (await run(pump, 'x')) as { error: unknown }
    assert.deepEqual(error, { type: 'QueryError', error: 'no x', status: 422 })
    const { lines } = await platform.activity.solutions.lines(businessId, pump, {
      kinds: ['error'],
    })
    assert.deepEqual(lines[0]?.trace, [
      "device2_event.lua:1 in local 'check'",
      'device2_event.lua:2',
    ])
  })

  it('names a limit that ended a call, and names it once', async () => {
    const pump = await millrace.handling(
      'pump',
      'if event == "memory" then return ("x"):rep(64 * 1024 * 1024) end while true do end',
    )
    const { businessId, platform } = millrace
    await platform.scripting.solutions.patch(businessId, pump, { limits: { cpuMsMax: 50 } })
    await run(pump, 'memory')
    await run(pump, 'cpu')
    const { lines } = await platform.activity.solutions.lines(businessId, pump, {
      kinds: ['error'],
    })
    const parts = lines.toReversed().map(({ text, trace, usage }) => ({ text, trace, usage }))
    const [memory, cpu] = parts
    assert.match(memory?.text ?? '', /^limit memory: not enough memory, at device2_event\.lua:\d+$/)
    const stopped = /^limit cpu: more than 50 ms of CPU, at (device2_event\.lua:\d+)$/
    assert.match(cpu?.text ?? '', stopped)
    assert.deepEqual(cpu?.trace, [stopped.exec(cpu?.text ?? '')?.[1]])
    assert.ok((cpu?.usage?.cpuMs ?? 0) > 50, JSON.stringify(cpu))
  })
})

describe('the log of a solution: read, followed and bounded', () => {
  onInstance()

  it('is read page by page, and can be searched', async () => {
    const pump = await millrace.handling('pump', 'print("line " .. event)')
    const { businessId, platform } = millrace
    const log = platform.activity.solutions
    for (const argument of ['a', 'b', 'c']) await run(pump, argument)
    const kinds = ['log'] as const
    const first = await log.lines(businessId, pump, { kinds, limit: 2 })
    const { before } = first
    const second = await log.lines(businessId, pump, { kinds, limit: 2, before })
    const texts = [...first.lines, ...second.lines].map(({ text }) => text)
    assert.deepEqual(texts, ['line c', 'line b', 'line a'])
    const readTexts = async (asked: Parameters<typeof log.lines>[2]) =>
      (await log.lines(businessId, pump, { kinds, ...asked })).lines.map(({ text }) => text)
    assert.deepEqual(await readTexts({ text: 'LINE B' }), ['line b'])
    assert.deepEqual(await readTexts({ trackingId: 'track-a' }), ['line a'])
    assert.deepEqual(await readTexts({ levels: ['error'] }), [])
    const { businessId: other } = await millrace.otherBusiness()
    assert.deepEqual((await log.lines(other, pump)).lines, [])
  })

  it('is followed while it grows', async () => {
    const pump = await millrace.handling('pump', 'print(event)')
    const { businessId, platform, until } = millrace
    const seen: string[] = []
    const stop = platform.activity.solutions.follow(
      businessId,
      pump,
      (lines) => seen.push(...lines.map(({ text }) => text)),
      { filter: { kinds: ['log'] } },
    )
    await run(pump, 'one')
    await run(pump, 'two')
    await until('both were told', async () => seen.length >= 2)
    stop()
    assert.deepEqual(seen, ['one', 'two'])
  })

  it('counts the lines that it leaves out, so that no script floods it', async () => {
    const pump = await millrace.handling('pump', 'for i = 1, 400 do print(i) end')
    const log = millrace.platform.activity.solutions
    await run(pump, 'first')
    await run(pump, 'second')
    millrace.clock.advance(61_000)
    await log.flush()
    const of = async (kind: 'log' | 'note') =>
      (await log.lines(millrace.businessId, pump, { kinds: [kind], limit: 1_000 })).lines
    assert.equal((await of('log')).length, activityLimits.linesPerMinuteMax)
    const [note] = await of('note')
    assert.match(note?.text ?? '', /^200 lines of scripts were left out/)
  })

  it('deletes what is older than a week', async () => {
    const pump = await millrace.handling('pump', 'print(event)')
    const { solutions: log, removeOld } = millrace.platform.activity
    await run(pump, 'old')
    millrace.clock.advance((limits.lineRetentionHours + 1) * 3_600_000)
    await run(pump, 'new')
    await removeOld()
    const { lines } = await log.lines(millrace.businessId, pump, { kinds: ['log'] })
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['new'],
    )
  })
})
