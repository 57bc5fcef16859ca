import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { errorCatalogue, limits } from '../../../../src/kernel/index.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { codes, post } from '../../../fixtures/wire/graphql.ts'
import { type Instance, instanceOf, messagesOf } from './instance.ts'

let instance: Instance<OwnPlatform>
const onInstance = sharedBySuites(async (suite) => {
  instance = instanceOf(await testPlatform(suite, { own: 'moves the clock' }))
})

const query = '{ assetCount }'
const windowMs = 10_000

describe('authentication of the graph API', () => {
  onInstance()

  it('a token is visible only at its creation', async () => {
    const { as } = await instance.tokenOf()
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

  it('ExceededRateLimitRequests: 10 in a window of 10 s, from the first request on', async () => {
    const { as } = await instance.tokenOf()
    const { answered, answer, headers } = await sendUntilRefused(as, 11)
    assert.equal(answered, 10)
    assert.deepEqual(messagesOf(answer), ['ExceededRateLimitRequests'])
    assert.deepEqual(Object.keys(answer), ['errors'], 'no data and no extensions')
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 10, 'when the window is over')
    instance.clock.advance(windowMs)
    assert.equal((await instance.send({ query }, as)).errors, undefined, 'the window rolled over')
  })

  it('ExceededRateLimitTime: the summed time in a window is above its limit', async () => {
    const { as } = await instance.tokenOf({ rate_limits: { requests: 1_000, time: 1 } })
    const { answer } = await sendUntilRefused(as, 1_000)
    assert.deepEqual(messagesOf(answer), ['ExceededRateLimitTime'])
    assert.deepEqual(Object.keys(answer), ['errors'], 'no data and no extensions')
    instance.clock.advance(windowMs)
    assert.equal((await instance.send({ query }, as)).errors, undefined, 'the window rolled over')
  })

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
    const { as } = await instance.tokenOf({ role: 'Tool' })
    assert.equal((await sendUntilRefused(as, 12)).answered, 11)
  })

  it('a window is that of one token: another one goes on', async () => {
    const [one, other] = [await instance.tokenOf(), await instance.tokenOf()]
    assert.equal((await sendUntilRefused(one.as, 11)).answered, 10)
    assert.equal((await sendUntilRefused(other.as, 11)).answered, 10)
  })

  it('a usage error is that of one request, which smaller pages avoid', async () => {
    const { as } = await instance.tokenOf({ rate_limits: { requests: 100 } })
    const page = (limit: number) => `{ assets(pagination: { limit: ${limit} }) { id } }`
    const large = await instance.send({ query: page(limits.pageMax + 1) }, as)
    assert.deepEqual(codes(large), ['list_too_long'])
    assert.equal((await instance.send({ query: page(limits.pageMax) }, as)).errors, undefined)
  })
})

describe('limits of the graph API', () => {
  onInstance()

  it('are reported in extensions.cost with what was used', async () => {
    const { as } = await instance.tokenOf()
    await instance.send({ query }, as)
    const { extensions } = await instance.send({ query }, as)
    const { usage, rateUsage, time, ...cost } = extensions?.cost ?? assert.fail('no extensions')
    assert.deepEqual(cost.limits, { time: 10_000, cost: cost.limits.cost, query: null })
    assert.deepEqual(cost.rateLimits, { time: 100_000, requests: 10, cost: null, query: null })
    assert.deepEqual(Object.keys(usage).sort(), ['cost', 'query', 'time'])
    assert.deepEqual(Object.keys(rateUsage ?? {}).sort(), ['cost', 'query', 'requests', 'time'])
    assert.equal(rateUsage?.requests, 2)
    assert.equal(usage.time, time)
    assert.ok(Number(rateUsage?.time) >= time, 'the sum of the window has this request')
    assert.deepEqual([cost.overUsageLimit, cost.overRateLimit], [false, false])
  })

  it('are reported with errors as well', async () => {
    const { as } = await instance.tokenOf()
    const { extensions } = await instance.send({ query: '{ nothing }' }, as)
    assert.equal(extensions?.cost.rateUsage?.requests, 1)
  })
})
