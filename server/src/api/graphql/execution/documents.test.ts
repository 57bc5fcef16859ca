import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { graphqlLimits } from '../limits.ts'
import { createSchema } from '../schema.ts'
import { createDocuments } from './documents.ts'

const numbered = (at: number) => `{ a${at}: assetCount }`

test('a document is read once, as long as it is among the last used', () => {
  const documents = createDocuments(createSchema({}))
  const [first, second] = [documents.prepare(numbered(0)), documents.prepare(numbered(1))]
  for (let at = 2; at < graphqlLimits.graphqlDocumentsMax; at += 1) documents.prepare(numbered(at))
  assert.equal(documents.prepare(numbered(0)), first)
  documents.prepare(numbered(graphqlLimits.graphqlDocumentsMax))
  assert.equal(documents.prepare(numbered(0)), first)
  assert.notEqual(documents.prepare(numbered(1)), second)
})

test('what is very long or not valid is not kept', () => {
  const documents = createDocuments(createSchema({}))
  const padded = (chars: number) => numbered(0).padEnd(chars)
  const [kept, long] = [
    graphqlLimits.graphqlKeptCharsMax,
    graphqlLimits.graphqlKeptCharsMax + 1,
  ].map(padded)
  assert.equal(documents.prepare(kept ?? ''), documents.prepare(kept ?? ''))
  assert.notEqual(documents.prepare(long ?? ''), documents.prepare(long ?? ''))
  assert.notEqual(documents.prepare('{ nothing }'), documents.prepare('{ nothing }'))
})
