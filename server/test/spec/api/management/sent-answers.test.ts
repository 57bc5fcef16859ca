import { strict as assert } from 'node:assert'
import { channel } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'
import { contracts, type SentAnswer, type SentEvent } from '../../../../src/api/management/index.ts'
import '../../../fixtures/wire/answers.ts'

const findContract = (id: string) => contracts.find((one) => one.id === id) ?? assert.fail(id)

const line = {
  id: '1717171717171717.2.9000',
  timestamp: 1_717_171_717_171_717,
  type: 'write',
  severity: 'info',
  identity: 'pump.7',
  ip: '127.0.0.1',
  protocol: 'http',
  code: null,
  message: 'Wrote a=1.',
  count: 1,
}

const refusal = { code: 'unknown_credential', message: 'It is not known.', status: 401 }

describe('the check of what the management API sends in tests', () => {
  const problemOfEvent = (name: string, data: unknown) => {
    const event: SentEvent = { contract: findContract('listConnectorLog'), name, data }
    channel('millrace.management.event').publish(event)
    return event.problem
  }

  it('accepts the events of a live view as the contract has them', () => {
    assert.equal(problemOfEvent('line', line), undefined)
    assert.equal(problemOfEvent('end', refusal), undefined)
  })

  it('rejects an event whose data or name the contract does not have', () => {
    const events: [name: string, data: unknown, problem: RegExp][] = [
      ['line', { ...line, colour: 'red' }, /event line: it has the field "?colour/],
      ['line', { ...line, type: 'guess' }, /event line: type must be/],
      ['line', { ...line, count: undefined }, /event line: count/],
      ['end', { code: 'unknown_credential' }, /event end: message/],
      ['beat', {}, /event beat: the contract has no such event/],
    ]
    for (const [name, data, problem] of events) {
      assert.match(String(problemOfEvent(name, data)), problem)
    }
  })

  it('rejects an answer whose fields, code or content type the contract does not have', () => {
    const findProblem = (status: number, body: unknown, contentType = 'application/json') => {
      const contract = findContract('listConnectorLog')
      const answer: SentAnswer = { contract, status, contentType, body: JSON.stringify(body) }
      channel('millrace.management.answer').publish(answer)
      return answer.problem
    }
    const page = { lines: [line], mayLoadMore: false }
    assert.equal(findProblem(200, page), undefined)
    assert.match(String(findProblem(200, { ...page, more: 1 })), /field "?more/)
    assert.match(String(findProblem(200, page, 'text/csv')), /no content type "text\/csv"/)
    assert.equal(findProblem(401, refusal), undefined)
    assert.match(String(findProblem(409, { ...refusal, code: 'already_exists' })), /already_exists/)
  })
})
