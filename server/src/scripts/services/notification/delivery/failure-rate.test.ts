import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notificationLimits } from '../limits.ts'
import type { DeliveryOutcome } from '../sending/channel.ts'
import { FailureRateMonitor } from './failure-rate.ts'

const accepted: DeliveryOutcome = { kind: 'accepted' }
const suspect: DeliveryOutcome = { kind: 'invalid_address', reason: 'BadToken', suspect: true }
const gone: DeliveryOutcome = { kind: 'invalid_address', reason: 'Unregistered' }
const misconfigured: DeliveryOutcome = {
  kind: 'refused',
  reason: 'InvalidKey',
  misconfigured: true,
}
const refused: DeliveryOutcome = { kind: 'refused', reason: 'too long' }
const again: DeliveryOutcome = { kind: 'retry', reason: 'away' }

function judgeAll(
  monitor: FailureRateMonitor,
  count: number,
  outcome: DeliveryOutcome,
  credential?: string,
): DeliveryOutcome {
  let judged = outcome
  for (let at = 0; at < count; at += 1) judged = monitor.judge(outcome, credential)
  return judged
}

describe('the failure rate of a configuration', () => {
  const { notificationSuspectPercentMax: percent, notificationSuspectAnswersMin: min } =
    notificationLimits

  it('keeps an address invalid up to the share, and refuses past it', () => {
    const monitor = new FailureRateMonitor()
    judgeAll(monitor, 100 - percent, accepted)
    assert.deepEqual(judgeAll(monitor, percent, suspect), suspect)
    assert.equal(monitor.fault, undefined)
    const share = `so or alike are ${percent + 1} of the last 100 answers`
    const reason = `BadToken; the binding stays: ${share}`
    const expected = { kind: 'refused', reason, addressRejected: true }
    assert.deepEqual(monitor.judge(suspect, undefined), expected)
    assert.deepEqual(monitor.judge(gone, undefined), gone)
    assert.deepEqual(monitor.judge(accepted, undefined), accepted)
  })

  it(`becomes a fault at ${min} such answers, and ends with enough good ones`, () => {
    const monitor = new FailureRateMonitor()
    assert.equal(judgeAll(monitor, min - 1, suspect).kind, 'refused')
    assert.equal(monitor.fault, undefined)
    monitor.judge(suspect, undefined)
    const fault = `the configuration may be wrong: ${min} of the last ${min} answers say so`
    assert.equal(monitor.fault, `${fault}, the last is BadToken`)
    judgeAll(monitor, 3 * min, gone)
    assert.equal(monitor.fault, undefined)
  })

  it('becomes a fault at once if an answer names the configuration, with its credential', () => {
    const monitor = new FailureRateMonitor()
    assert.deepEqual(monitor.judge(misconfigured, 'cred'), misconfigured)
    const fault =
      'the configuration may be wrong: 1 of the last 1 answers with the credential cred say so'
    assert.equal(monitor.fault, `${fault}, the last is InvalidKey`)
    judgeAll(monitor, 1, accepted, 'cred')
    assert.match(monitor.fault ?? '', /1 of the last 2 answers with the credential cred say so$/)
    monitor.reset()
    assert.equal(monitor.fault, undefined)
    assert.deepEqual(monitor.judge(accepted, 'cred'), accepted)
    assert.equal(monitor.fault, undefined)
    monitor.restore('as it was')
    assert.equal(monitor.fault, 'as it was')
  })

  it('ignores answers that do not depend on the configuration', () => {
    const monitor = new FailureRateMonitor()
    for (const outcome of [refused, again]) {
      assert.deepEqual(judgeAll(monitor, 2 * min, outcome), outcome)
    }
    monitor.judge(misconfigured, undefined)
    assert.match(monitor.fault ?? '', /1 of the last 1 answers/)
  })

  it('is counted per credential, of its last answers', () => {
    const monitor = new FailureRateMonitor()
    judgeAll(monitor, notificationLimits.notificationAnswersMax, accepted, 'a')
    assert.equal(monitor.judge(suspect, 'b').kind, 'refused')
    assert.equal(monitor.judge(suspect, 'a').kind, 'invalid_address')
    judgeAll(monitor, notificationLimits.notificationAnswersMax - 1, suspect, 'a')
    assert.match(monitor.fault ?? '', /100 of the last 100 answers with the credential a say so/)
  })

  it('drops the credential used least of more than the limit and none', () => {
    const monitor = new FailureRateMonitor()
    judgeAll(monitor, 10, accepted, 'first')
    judgeAll(monitor, 10, accepted, 'second')
    for (let at = 0; at < notificationLimits.pushCredentialsMax - 1; at += 1) {
      judgeAll(monitor, 10, accepted, `c${at}`)
    }
    monitor.judge(accepted, 'first')
    assert.equal(monitor.judge(suspect, 'second').kind, 'invalid_address', 'it is cached')
    monitor.judge(accepted, 'one more')
    monitor.judge(accepted, 'and one more')
    assert.equal(monitor.judge(suspect, 'first').kind, 'invalid_address', 'it was used last')
    assert.equal(monitor.judge(suspect, 'c2').kind, 'invalid_address', 'it is cached')
    assert.equal(monitor.judge(suspect, 'c0').kind, 'refused')
  })
})
