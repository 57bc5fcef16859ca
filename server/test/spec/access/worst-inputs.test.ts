import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { type Contract, contracts, isStream } from '../../../src/management/index.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'
import { requestOf } from './requests.ts'

const { jsonFieldsMax, jsonValuesMax } = limits

/** Bodies that take long to read for their bytes: each is refused before it is parsed. */
const worst = {
  names: `{${Array.from({ length: jsonFieldsMax + 1 }, (_, at) => `"${at}":1`).join()}}`,
  numbers: `[${'1,'.repeat(jsonValuesMax)}1]`,
  'empty objects': `[${'{},'.repeat(jsonValuesMax)}{}]`,
  'texts in a field': `{"a":[${'"",'.repeat(jsonValuesMax)}""]}`,
}

let instance: TestPlatform
const onPlatform = sharedBySuites(async (context) => {
  instance = await testPlatform(context)
})

function callerOf({ permission }: Contract): string {
  const { operator, token, basic } = instance
  if (permission === 'operator') return operator
  return permission === 'account' ? basic : `Automation ${token}`
}

describe('the worst bodies of JSON', () => {
  onPlatform()

  for (const [what, body] of Object.entries(worst)) {
    it(`${what}: every operation with a body refuses too many`, async () => {
      const bodies = contracts.filter((contract) => {
        const given = contract.details().body
        return given !== undefined && !isStream(given)
      })
      assert.ok(bodies.length > 70, `${bodies.length} operations`)
      for (const contract of bodies) {
        const { method, path } = requestOf(contract, { connector: instance.connector.id })
        const response = await fetch(`${instance.httpUrl}${path}`, {
          method,
          headers: { authorization: callerOf(contract), 'content-type': 'application/json' },
          body,
        })
        const { code } = JSON.parse(await response.text())
        assert.deepEqual([response.status, code], [413, 'too_large'], contract.id)
      }
    })
  }

  it('GraphQL refuses them among the variables', async () => {
    for (const [what, json] of Object.entries(worst)) {
      const response = await fetch(`${instance.httpUrl}/api/graphql`, {
        method: 'POST',
        headers: { authorization: instance.basic, 'content-type': 'application/json' },
        body: `{"query":"{ assetCount }","variables":{"a":${json}}}`,
      })
      assert.equal(response.status, 413, what)
    }
  })
})
