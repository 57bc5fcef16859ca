import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { errorCatalogue, limits } from '../../../../../src/foundation/kernel/index.ts'
import { testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { post } from '../../../../fixtures/wire/graphql.ts'
import { type Instance, openInstance } from './instance.ts'

let instance: Instance
const onInstance = sharedBySuites(async (suite) => {
  instance = openInstance(await testPlatform(suite))
})

const query = '{ assetCount }'

describe('authentication of the graph API', () => {
  onInstance()

  it('a token is visible only at its creation', async () => {
    const { as } = await instance.makeToken()
    const secret = as.replace('Automation ', '')
    const listed = JSON.stringify(await instance.manage('GET', 'api-tokens'))
    assert.ok(!listed.includes(secret))
    const { tokens } = await instance.ask('{ tokens { id name role } }')
    assert.ok(!JSON.stringify(tokens).includes(secret))
  })
})

/** Sends one request after another until one is refused, so often at most. */
async function sendUntilRefused(as: string, times: number) {
  for (let answered = 0; answered < times; answered += 1) {
    const sent = await post(instance.endpoint, as, { query })
    if (sent.answer.errors !== undefined) return { answered, ...sent }
  }
  return assert.fail(`none of ${times} requests was refused`)
}

describe('errors of the limits', () => {
  onInstance()

  it('ExceededMaximumTime is defined, and no request ends with it', () => {
    assert.equal(errorCatalogue.maximum_time_exceeded.text, 'ExceededMaximumTime')
    assert.ok(limits.graphqlMsMax < limits.graphqlWindowRequestsMs, 'a request ends before')
  })

  it('a token, or all of a role, can have other limits', async () => {
    const { createToken } = await instance.ask<{
      createToken: { id: string; token: string }
    }>(`mutation { createToken(input: {
      name: "tool", role: "Viewer", rateLimits: { requests: 12 } }) { id token } }`)
    assert.equal((await sendUntilRefused(`Automation ${createToken.token}`, 13)).answered, 12)
    const { tokens } = await instance.ask<{ tokens: { id: string; rateLimits: object }[] }>(
      '{ tokens { id rateLimits { requests time } } }',
    )
    const made = tokens.find(({ id }) => id === createToken.id)
    assert.deepEqual(made?.rateLimits, { requests: 12, time: null })
    const { createRole, setRoleRateLimits } = await instance.ask(`mutation {
      createRole(input: { name: "Tool", permissions: ["View Asset"] }) { rateLimits { requests } }
      setRoleRateLimits(name: "Tool", rateLimits: { requests: 11, time: 200000 }) {
        name rateLimits { requests time } } }`)
    assert.deepEqual(createRole, { rateLimits: { requests: null } })
    const rateLimits = { requests: 11, time: 200_000 }
    assert.deepEqual(setRoleRateLimits, { name: 'Tool', rateLimits })
    const { as } = await instance.makeToken({ role: 'Tool' })
    assert.equal((await sendUntilRefused(as, 12)).answered, 11)
  })
})
