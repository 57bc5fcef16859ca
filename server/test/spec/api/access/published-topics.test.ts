import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { buildSchema } from 'graphql'
import { readSchema } from '../../../../src/api/graphql/index.ts'
import { contracts } from '../../../../src/api/management/index.ts'
import { forAnyone, refusedToOwner } from './exceptions.ts'
import { published, unpublished } from './published-topics.ts'

/** The names of all operations of the management API and mutations that change data. */
function changing(): string[] {
  const mutations = buildSchema(readSchema()).getMutationType()?.getFields() ?? {}
  const operations = contracts.filter(({ method }) => method !== 'GET').map(({ id }) => id)
  return [...new Set([...operations, ...Object.keys(mutations)])].sort()
}

describe('what changes something', () => {
  it('publishes a topic, or is an exception with a reason', () => {
    assert.deepEqual([...published.keys(), ...Object.keys(unpublished)].sort(), changing())
    for (const [name, reason] of Object.entries(unpublished)) assert.ok(reason.length > 10, name)
  })

  it('is called with success by every-route and every-field, or by a test of its own', () => {
    const elsewhere = [...forAnyone, ...Object.keys(refusedToOwner)]
    const own = elsewhere.filter((name) => published.has(name))
    assert.deepEqual(own.sort(), [
      'acceptInvitation',
      'confirmTotp',
      'deleteRevocationList',
      'putRevocationList',
      'removeTotp',
      'removeUserTotp',
    ])
  })
})
