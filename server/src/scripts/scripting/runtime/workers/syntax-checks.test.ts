import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../../limits.ts'
import { SyntaxChecks } from './syntax-checks.ts'
import type { WorkerChannel } from './worker-channel.ts'

/** Workers that answer nothing; what each was given. */
function open() {
  const clock = { ms: 0 }
  const lines = { home: [] as number[], apart: [] as number[] }
  const lineTo = (given: number[]) =>
    ({ post: (message) => void given.push(Number(message[1])) }) as WorkerChannel
  const line = { home: lineTo(lines.home), apart: lineTo(lines.apart) }
  const checks = new SyntaxChecks({
    pool: { checkChannelFor: (_, isApart) => (isApart ? line.apart : line.home) },
    onBusy: () => {},
    ids: { last: 0 },
    elapsedMs: () => clock.ms,
  })
  const check = (source = 'x = 1', solutionId = 's') =>
    checks.check(solutionId, { name: 'a.lua', source, role: { kind: 'plain' } })
  return { clock, lines, line, checks, check }
}

const overloaded = (error: unknown) => error instanceof Fault && error.code === 'overloaded'

describe('sources that are compiled', () => {
  it('are compiled apart where they are large', async () => {
    const { lines, checks, check } = open()
    const both = [check(), check(' '.repeat(scriptingLimits.scriptCheckSmallChars + 1))]
    assert.deepEqual(lines, { home: [1], apart: [2] })
    for (const call of [1, 2]) checks.receive(call, undefined, 1)
    assert.deepEqual(await Promise.all(both), [undefined, undefined])
    assert.equal(checks.count, 0)
  })

  it('are compiled apart where their solution had much compiled, for a while', () => {
    const { clock, lines, checks, check } = open()
    check()
    checks.receive(1, undefined, scriptingLimits.scriptQuarantineCpuMs)
    check()
    check('x = 1', 'other')
    assert.deepEqual(lines, { home: [1, 3], apart: [2] })
    clock.ms += scriptingLimits.scriptQuarantineMs
    check()
    assert.deepEqual(lines, { home: [1, 3, 4], apart: [2] })
  })

  it('are so many of one solution at most', async () => {
    const { checks, check } = open()
    for (let at = 0; at < scriptingLimits.scriptChecksWaitingMax; at += 1) check()
    await assert.rejects(check(), overloaded)
    check('x = 1', 'other')
    checks.receive(1, undefined, 1)
    check()
    await assert.rejects(check(), overloaded)
  })

  it('are refused where their worker is lost, or the host is closed', async () => {
    const { line, checks, check } = open()
    const lost = check()
    const kept = check(' '.repeat(scriptingLimits.scriptCheckSmallChars + 1))
    checks.workerLost(line.home)
    await assert.rejects(lost, overloaded)
    checks.receive(2, undefined, 1)
    assert.equal(await kept, undefined)
    checks.close()
    await assert.rejects(check(), overloaded)
    assert.equal(checks.count, 0)
  })
})
