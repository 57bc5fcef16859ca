import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../kernel/index.ts'
import type { Outcome } from '../sending/channel.ts'
import { FailureRateMonitor } from './failure-rate.ts'

const accepted: Outcome = { kind: 'accepted' }
const doubtful: Outcome = { kind: 'invalid_address', reason: 'BadToken', doubtful: true }
const gone: Outcome = { kind: 'invalid_address', reason: 'Unregistered' }
const setup: Outcome = { kind: 'refused', reason: 'InvalidKey', setup: true }
const refused: Outcome = { kind: 'refused', reason: 'too long' }
const again: Outcome = { kind: 'retry', reason: 'away' }

function judgeAll(
  doubt: FailureRateMonitor,
  count: number,
  outcome: Outcome,
  credential?: string,
): Outcome {
  let judged = outcome
  for (let at = 0; at < count; at += 1) judged = doubt.judge(outcome, credential)
  return judged
}

describe('the doubt in a configuration', () => {
  const { notificationDoubtPercentMax: percent, notificationDoubtAnswersMin: min } = limits

  it('lets an address go while few say so, and keeps it while more do', () => {
    const doubt = new FailureRateMonitor()
    judgeAll(doubt, 100 - percent, accepted)
    assert.deepEqual(judgeAll(doubt, percent, doubtful), doubtful)
    assert.equal(doubt.fault, undefined)
    const share = `so or alike are ${percent + 1} of the last 100 answers`
    const reason = `BadToken; the binding stays: ${share}`
    const kept = { kind: 'refused', reason, ofAddress: true }
    assert.deepEqual(doubt.judge(doubtful, undefined), kept)
    assert.deepEqual(doubt.judge(gone, undefined), gone)
    assert.deepEqual(doubt.judge(accepted, undefined), accepted)
  })

  it(`is told from ${min} such answers on, and ends with enough good ones`, () => {
    const doubt = new FailureRateMonitor()
    assert.equal(judgeAll(doubt, min - 1, doubtful).kind, 'refused')
    assert.equal(doubt.fault, undefined)
    doubt.judge(doubtful, undefined)
    const fault = `the configuration may be wrong: ${min} of the last ${min} answers say so`
    assert.equal(doubt.fault, `${fault}, the last is BadToken`)
    judgeAll(doubt, 3 * min, gone)
    assert.equal(doubt.fault, undefined)
  })

  it('is told at once where an answer names the configuration, and of which credential', () => {
    const doubt = new FailureRateMonitor()
    assert.deepEqual(doubt.judge(setup, 'cred'), setup)
    const fault =
      'the configuration may be wrong: 1 of the last 1 answers with the credential cred say so'
    assert.equal(doubt.fault, `${fault}, the last is InvalidKey`)
    judgeAll(doubt, 1, accepted, 'cred')
    assert.match(doubt.fault ?? '', /1 of the last 2 answers with the credential cred say so$/)
    doubt.reset()
    assert.equal(doubt.fault, undefined)
    assert.deepEqual(doubt.judge(accepted, 'cred'), accepted)
    assert.equal(doubt.fault, undefined)
    doubt.restore('as it was')
    assert.equal(doubt.fault, 'as it was')
  })

  it('is not in what says nothing of the configuration', () => {
    const doubt = new FailureRateMonitor()
    for (const outcome of [refused, again]) {
      assert.deepEqual(judgeAll(doubt, 2 * min, outcome), outcome)
    }
    doubt.judge(setup, undefined)
    assert.match(doubt.fault ?? '', /1 of the last 1 answers/)
  })

  it(`is of each credential, of its last ${limits.notificationAnswersKept} answers`, () => {
    const doubt = new FailureRateMonitor()
    judgeAll(doubt, limits.notificationAnswersKept, accepted, 'a')
    assert.equal(doubt.judge(doubtful, 'b').kind, 'refused')
    assert.equal(doubt.judge(doubtful, 'a').kind, 'invalid_address')
    judgeAll(doubt, limits.notificationAnswersKept - 1, doubtful, 'a')
    assert.match(doubt.fault ?? '', /100 of the last 100 answers with the credential a say so/)
  })

  it(`forgets the credential behind ${limits.pushCredentialsMax} others and none at all`, () => {
    const doubt = new FailureRateMonitor()
    judgeAll(doubt, 10, accepted, 'first')
    judgeAll(doubt, 10, accepted, 'second')
    for (let at = 0; at < limits.pushCredentialsMax - 1; at += 1) {
      judgeAll(doubt, 10, accepted, `c${at}`)
    }
    doubt.judge(accepted, 'first')
    assert.equal(doubt.judge(doubtful, 'second').kind, 'invalid_address', 'it is kept')
    doubt.judge(accepted, 'one more')
    doubt.judge(accepted, 'and one more')
    assert.equal(doubt.judge(doubtful, 'first').kind, 'invalid_address', 'it was used last')
    assert.equal(doubt.judge(doubtful, 'c2').kind, 'invalid_address', 'it is kept')
    assert.equal(doubt.judge(doubtful, 'c0').kind, 'refused')
  })
})
