import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { accountLimits } from '../../../../src/people/accounts/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import {
  type GraphOptions,
  graphqlFixture,
  post,
  serveGraphql,
  type WholeAnswer,
} from '../../../fixtures/wire/graphql.ts'

const query = '{ assetCount }'
const windowMs = 10_000

type Time = { wallMs: number; passedMs: number }

/** A clock of which the wall time and the passed time are set apart from one another. */
function twoClocks() {
  const time: Time = { wallMs: 1_800_000_000_000, passedMs: 0 }
  const nowMs = () => time.wallMs
  const clock = { nowMs, nowUs: () => nowMs() * 1_000, elapsedMs: () => time.passedMs }
  return { time, clock }
}

/** A server on a clock that stands, and tokens without settings of their own. */
async function windowFixture(
  t: TestContext,
  change = (options: GraphOptions, _time: Time) => options,
) {
  const { time, clock } = twoClocks()
  const fixture = await graphqlFixture(t, {
    change: (options) => change({ ...options, clock }, time),
  })
  const makeToken = async (
    rateLimits?: { requests?: number; timeMs?: number },
    role = 'Viewer',
  ) => {
    const wanted = { name: 'one', role, rateLimits }
    return `Automation ${(await fixture.accounts.createToken(fixture.business, wanted)).token}`
  }
  return { ...fixture, clock, time, makeToken }
}

/** Lets the count of assets take ten seconds of the server's clock. */
function slow(options: GraphOptions, time: Time): GraphOptions {
  const count = async () => {
    time.passedMs += 10_000
    return 0
  }
  return { ...options, assets: { ...options.assets, count } }
}

async function askTimes(fixture: { url: string }, token: string, times: number) {
  const answers: WholeAnswer[] = []
  for (let at = 0; at < times; at += 1) {
    answers.push((await post(fixture, token, { query })).answer)
  }
  return answers
}

const messages = ({ errors }: WholeAnswer) => errors?.map(({ message }) => message)

function assertAnswered(answers: readonly WholeAnswer[]): void {
  for (const answer of answers) assert.deepEqual(answer.data, { assetCount: 0 })
}

test('ten requests of a token run in ten seconds, the eleventh is refused', async (t) => {
  const fixture = await windowFixture(t)
  const token = await fixture.makeToken()
  assertAnswered(await askTimes(fixture, token, 10))
  const { answer, headers, status } = await post(fixture, token, { query })
  const [error] = answer.errors ?? []
  assert.equal(error?.message, 'ExceededRateLimitRequests')
  assert.equal(error?.extensions.code, 'rate_requests_exceeded')
  assert.deepEqual(Object.keys(answer), ['errors'], 'no data, no extensions')
  assert.equal(status, 200)
  assert.equal(headers.get('retry-after'), '10')
  const accept = { accept: 'application/graphql-response+json' }
  assert.equal((await post(fixture, token, { query }, accept)).status, 429)
})

test('the window begins with the first request and ends ten seconds after it', async (t) => {
  const fixture = await windowFixture(t)
  const token = await fixture.makeToken()
  fixture.time.wallMs += 7_777
  await askTimes(fixture, token, 1)
  fixture.time.wallMs += windowMs - 1
  assertAnswered(await askTimes(fixture, token, 9))
  const late = await post(fixture, token, { query })
  assert.deepEqual(messages(late.answer), ['ExceededRateLimitRequests'])
  assert.equal(late.headers.get('retry-after'), '1')
  fixture.time.wallMs += 1
  assertAnswered(await askTimes(fixture, token, 10))
  const [eleventh] = await askTimes(fixture, token, 1)
  assert.deepEqual(messages(eleventh ?? {}), ['ExceededRateLimitRequests'])
})

test('a window does not last while the wall clock is set back', async (t) => {
  const fixture = await windowFixture(t)
  const token = await fixture.makeToken()
  await askTimes(fixture, token, 11)
  fixture.time.wallMs -= 3_600_000
  assertAnswered(await askTimes(fixture, token, 10))
})

test('the summed time of the requests may reach its limit, and nothing runs past it', async (t) => {
  const fixture = await windowFixture(t, slow)
  const token = await fixture.makeToken({ requests: 100 })
  const answers = await askTimes(fixture, token, 11)
  assertAnswered(answers)
  const sums = answers.map(({ extensions }) => extensions?.cost.rateUsage?.time)
  assert.equal(sums[9], 100_000)
  const { answer, headers } = await post(fixture, token, { query })
  assert.deepEqual(messages(answer), ['ExceededRateLimitTime'])
  assert.deepEqual(Object.keys(answer), ['errors'])
  assert.equal(headers.get('retry-after'), '10')
  fixture.time.wallMs += windowMs
  assertAnswered(await askTimes(fixture, token, 1))
})

test('a time counts also while it is being stored', async (t) => {
  const isStoring = Promise.withResolvers<void>()
  const mayStore = Promise.withResolvers<void>()
  t.after(() => mayStore.resolve())
  const fixture = await windowFixture(t, (options, time) => {
    const { database } = options
    const run: typeof database.run = async (text, values) => {
      if (/^update accounts_window/.test(text)) {
        isStoring.resolve()
        await mayStore.promise
      }
      return database.run(text, values)
    }
    return slow({ ...options, database: { ...database, run } }, time)
  })
  const token = await fixture.makeToken({ requests: 100, timeMs: 10_000 })
  assertAnswered(await askTimes(fixture, token, 1))
  await isStoring.promise
  const [second, third] = await askTimes(fixture, token, 2)
  assert.equal(second?.extensions?.cost.rateUsage?.time, 20_000)
  assert.deepEqual(messages(third ?? {}), ['ExceededRateLimitTime'])
})

test('an answer reports usage, limits, and those of the window', async (t) => {
  const fixture = await windowFixture(t)
  const [, second] = await askTimes(fixture, await fixture.makeToken(), 2)
  const { cost } = second?.extensions ?? assert.fail('no extensions')
  assert.deepEqual(cost, {
    usage: { time: 0, cost: cost.usage.cost, query: 0 },
    limits: { time: 10_000, cost: cost.limits.cost, query: null },
    rateUsage: { time: 0, cost: 2 * (cost.usage.cost ?? 0), query: 0, requests: 2 },
    rateLimits: { time: 100_000, cost: null, query: null, requests: 10 },
    time: 0,
    overUsageLimit: false,
    overRateLimit: false,
  })
})

test('an answer with errors reports them too', async (t) => {
  const fixture = await windowFixture(t)
  const token = await fixture.makeToken({ requests: 100 })
  const bodies = [
    { query: '{' },
    { query: '{ nothing }' },
    { query: 'mutation { deleteAsset(id: "x") { id } }' },
    { query: 5 },
    '{"query":',
    `{"query":"{ assetCount }","variables":${'['.repeat(500)}${']'.repeat(500)}}`,
  ]
  for (const [index, body] of bodies.entries()) {
    const { answer } = await post(fixture, token, body)
    assert(answer.errors !== undefined)
    assert.equal(answer.extensions?.cost.rateUsage?.requests, index + 1, JSON.stringify(body))
  }
})

test('the requests of a person count too, of all sessions together', async (t) => {
  setLimits(t, { personWindowRequests: 16 })
  const fixture = await windowFixture(t)
  const [email, password] = [fixture.makeEmail('ann'), 'correct horse battery']
  await fixture.accounts.createUser(fixture.business, { email, password, role: 'Viewer' })
  const [first, second] = [
    await fixture.accounts.signIn(email, password),
    await fixture.accounts.signIn(email, password),
  ]
  assertAnswered(await askTimes(fixture, `token ${first.token}`, 15))
  const [last, refused] = await askTimes(fixture, `token ${second.token}`, 2)
  assert.equal(last?.extensions?.cost.rateUsage?.requests, 16)
  assert.deepEqual(messages(refused ?? {}), ['ExceededRateLimitRequests'])
  fixture.time.wallMs += windowMs
  assertAnswered(await askTimes(fixture, `token ${first.token}`, 1))
})

test('a token has its own limit, else that of its role, else that of the instance', async (t) => {
  const fixture = await windowFixture(t)
  const { accounts, business } = fixture
  await accounts.setRoleRates(business, 'Viewer', { requests: 2 })
  const [own, ofRole] = [await fixture.makeToken({ requests: 3 }), await fixture.makeToken()]
  const other = await fixture.makeToken(undefined, 'Operator')
  for (const [token, most] of [
    [own, 3],
    [ofRole, 2],
    [other, limits.graphqlWindowRequests],
  ] as const) {
    const answers = await askTimes(fixture, token, most + 1)
    assertAnswered(answers.slice(0, most))
    assert.deepEqual(messages(answers[most] ?? {}), ['ExceededRateLimitRequests'])
  }
  for (const requests of [0, 1.5, accountLimits.graphqlTokenRequestsMax + 1]) {
    await assert.rejects(fixture.makeToken({ requests }), { code: 'invalid_argument' })
  }
  await assert.rejects(accounts.setRoleRates(business, 'None', {}), { code: 'not_found' })
})

test('a hundred requests at once over two processes: ten run', async (t) => {
  const fixture = await windowFixture(t)
  const token = await fixture.makeToken()
  const second = { url: await serveGraphql(t, fixture) }
  const asked = Array.from({ length: 100 }, (_, at) =>
    post(at % 2 === 0 ? fixture : second, token, { query }),
  )
  const answers = (await Promise.all(asked)).map(({ answer }) => answer)
  assert.equal(answers.filter(({ data }) => data !== undefined).length, 10)
})

test('a limit in the thousands is counted in advance, and never passed', async (t) => {
  const fixture = await windowFixture(t)
  const { accounts, business, database } = fixture
  const wanted = { name: 'one', role: 'Viewer', rateLimits: { requests: 4_000 } }
  const made = await accounts.createToken(business, wanted)
  const token = `Automation ${made.token}`
  const second = { url: await serveGraphql(t, fixture) }
  const counted = () =>
    database.one('select requests from accounts_window where holder = $1', [made.id])
  const [first] = await askTimes(fixture, token, 1)
  assert.equal(first?.extensions?.cost.rateUsage?.requests, 1)
  assert.deepEqual(await counted(), { requests: 4 })
  assertAnswered(await askTimes(fixture, token, 3))
  assert.deepEqual(await counted(), { requests: 4 })
  await database.run('update accounts_window set requests = 3998 where holder = $1', [made.id])
  const answers = await askTimes(second, token, 4)
  assert.equal(answers.filter(({ data }) => data !== undefined).length, 2)
})
