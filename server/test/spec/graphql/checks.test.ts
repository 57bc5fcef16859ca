import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { ask, graphqlFixture } from '../../fixtures/wire/graphql.ts'

const kinds = `id check { ... on LinkageCheckNumber { kind inside upper lower }
  ... on LinkageCheckBoolean { kind invert } ... on LinkageCheckString { kind contains }
  ... on LinkageCheckTime { kind range tz } ... on LinkageCheckJSON { kind path } }`

/** A rule on one signal, with these checks. */
async function checked(t: Parameters<typeof graphqlFixture>[0], checks: readonly object[]) {
  const fixture = await graphqlFixture(t)
  const { assets, pipelines, business, viewer } = fixture
  const all = wholeView(business)
  const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
  const asset = await assets.create(all, { name: 'Pump', signals })
  const [signal] = await assets.signals.ofAssets(all, [asset.id])
  assert(signal)
  const link = {
    assetId: asset.id,
    moduleId: 'builtin',
    functionId: 'threshold',
    constants: { warning: 60 },
    inlets: [{ signalId: signal.id }],
    checks: checks as never,
  }
  await pipelines.links.create(all, link, 'user:test')
  const answer = await ask(fixture, viewer, `{ assets { rulez { checks { pre { ${kinds} } } } } }`)
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
  type Found = { rulez: { checks: { pre: { id: string; check: object }[] } }[] }
  const [found] = answer.data?.assets as Found[]
  const pre = found?.rulez[0]?.checks.pre ?? []
  assert.deepEqual(
    pre.map(({ id }) => id),
    checks.map(() => signal.id),
  )
  return pre.map(({ check }) => check)
}

test('the checks of a function are those of its link, one for each signal', async (t) => {
  const checks = [
    { type: 'number', inlet: 0, minimum: 1, maximum: 9, not: true },
    { type: 'time', days: ['mon'], from: '08:00', to: '16:00', timeZone: 'Europe/Berlin' },
  ]
  assert.deepEqual(await checked(t, checks), [
    { kind: 'number', inside: false, upper: 9, lower: 1 },
    {
      kind: 'time',
      range: { days: ['mon'], from: '08:00', to: '16:00' },
      tz: 'Europe/Berlin',
    },
  ])
})
