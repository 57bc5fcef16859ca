import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { answerReference, type Change, conformanceCases } from '../src/conformance.ts'
import { readInfo, readInsightList, readProcessAnswer } from '../src/protocol.ts'

// A platform reads what a module answers: it refuses what breaks the protocol, or reports it.

const data = [{ ts: 1, value: 1, origin: 'o', generated: 'o', tags: { inlet: 'in' }, ttl: 7 }]
const call = { id: 'link', data, args: { function_id: 'double', constants: {} } }

function answerJson(change: Change, method: string, path: string, body: unknown = ''): unknown {
  const text = body === '' ? '' : JSON.stringify(body)
  const answer = answerReference(change, { method, path, body: text })
  return answer.contentType === 'text/html' ? answer.body : JSON.parse(answer.body)
}

const readers = {
  info: (change: Change) => readInfo(answerJson(change, 'GET', '/info')),
  list: (change: Change) =>
    readInsightList(answerJson(change, 'POST', '/insights', { group_id: '' })),
  process: (change: Change) =>
    readProcessAnswer(answerJson(change, 'POST', '/process', call), 1, { valuesMax: 10 }),
}

const tables: Readonly<Record<string, keyof typeof readers>> = {
  InsightInfoResults: 'info',
  InsightListResults: 'list',
  InsightInfo: 'list',
  SignalTypeInputInfo: 'list',
  SignalTypeOutputInfo: 'list',
  ConstantInfo: 'list',
  SignalData: 'process',
  'process answers outlets': 'process',
}

for (const [name, read] of Object.entries(readers)) {
  test(`the reader of ${name} takes the reference module without a complaint`, () => {
    const reading = read({})
    deepEqual(reading.error ?? reading.complaints, [])
  })
}

for (const { breaks, title, change } of conformanceCases) {
  const table = Object.keys(tables).find((one) => breaks.startsWith(one))
  const reader = table === undefined ? undefined : tables[table]
  if (reader === undefined) continue
  test(`${breaks}: a platform refuses or reports ${title}`, () => {
    const reading = readers[reader](change)
    const unusable = 'unusable' in reading ? reading.unusable : []
    ok(reading.error !== undefined || reading.complaints.length + unusable.length > 0)
  })
}
