import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { buildSchema, type ExecutionResult, execute, parse } from 'graphql'
import type { Context } from '../context.ts'
import { planQuery } from './plan.ts'
import { runPlan } from './run-plan.ts'

const schema = buildSchema(`
  type Query { thing: Thing  sure: Thing!  things: [Thing]  sures: [Thing!]!  kind: Kind! }
  type Thing {
    id: ID!  size: Int  kind: Kind  on: Boolean!  tags: [String!]  grid: [[Float]!]
    inner: Thing  sureInner: Thing!  parts(first: Int = 2, names: [String!]): [Thing!]
  }
  enum Kind { A B }
`)
const context = { work: { countTexts() {} } } as unknown as Context

/** Runs a document by its plan and by graphql-js. */
async function runBoth(
  text: string,
  rootValue: unknown,
  variables?: Readonly<Record<string, unknown>>,
): Promise<readonly [ExecutionResult, ExecutionResult]> {
  // The roots of our schema have resolvers; here they are properties.
  const query = schema.getQueryType()
  for (const field of Object.values(query?.getFields() ?? {})) {
    field.resolve = () => take((rootValue as Record<string, unknown>)[field.name])
  }
  const document = parse(text)
  const plan = planQuery(schema, document)
  assert(plan, text)
  const reference = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: variables,
  })
  return [await runPlan(schema, plan, context, variables), reference]
}

const take = (value: unknown) => (typeof value === 'function' ? value() : value)
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

type Outcomes = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** A value, and what may come in its place: nothing, an error, the wrong kind of value. */
function outcome(value: fc.Arbitrary<unknown>, delayed: boolean): fc.Arbitrary<unknown> {
  const error = fc.string().map((message) => new Error(message))
  const settled = fc.oneof({ weight: 12, arbitrary: value }, fc.constant(null), error)
  const thrown = fc.string().map((message) => () => {
    throw new Error(message)
  })
  const wrong = fc.constantFrom<unknown>({}, 'x', 1.5)
  const now = fc.oneof({ weight: 14, arbitrary: settled }, thrown, wrong)
  if (!delayed) return now
  const later = settled.map((one) => () => Promise.resolve(one))
  return fc.oneof(now, later)
}

function root(delayed: boolean): fc.Arbitrary<unknown> {
  const of = (value: fc.Arbitrary<unknown>) => outcome(value, delayed)
  const lists = (item: fc.Arbitrary<unknown>) => of(fc.array(item, { maxLength: 3 }))
  const thing = (depth: number): fc.Arbitrary<unknown> => {
    const inner = depth === 0 ? fc.constant(null) : of(thing(depth - 1))
    const fields: Outcomes = {
      id: of(fc.string()),
      size: of(fc.integer({ min: -9, max: 9 })),
      kind: of(fc.constantFrom('A', 'B', 'C')),
      on: of(fc.boolean()),
      tags: lists(fc.oneof({ weight: 9, arbitrary: fc.string() }, fc.constant(null))),
      grid: lists(fc.oneof(fc.array(fc.constantFrom(1, null)), fc.constant(null))),
      inner,
      sureInner: inner,
      parts: depth === 0 ? fc.constant([]) : lists(thing(depth - 1)),
    }
    return fc.record(fields)
  }
  const things = lists(fc.oneof({ weight: 9, arbitrary: thing(1) }, fc.constant(null)))
  return fc.record({ thing: of(thing(2)), sure: of(thing(1)), things, sures: things })
}

const whole = `
  query Q($first: Int) {
    thing {
      ...T inner { ...T inner { size } }
      sureInner { id sureInner { on } } parts(first: $first) { id }
    }
    sures { id again: on tags ... on Thing { grid kind } }
  }
  fragment T on Thing { __typename id size kind on tags grid }
`
const lists = '{ things { id inner { on } parts { sureInner { id } } } other: things { size } }'
const sure = '{ thing { id } sure { id on inner { id } } }'

describe('the run of a plan', () => {
  it('answers as graphql-js, with the same errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(whole, lists, sure), root(false), async (text, source) => {
        const [ours, reference] = await runBoth(text, source)
        assert.deepEqual(plain(ours.data), plain(reference.data))
        assert.deepEqual(sorted(ours), sorted(reference))
      }),
      { numRuns: 500 },
    )
  })

  it('answers as graphql-js when values come later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(whole, lists, sure), root(true), async (text, source) => {
        const [ours, reference] = await runBoth(text, source)
        // If several errors make one parent null, the first in time is listed.
        assert.deepEqual(plain(ours.data), plain(reference.data))
        assert.deepEqual(Object.keys(ours.data ?? {}), Object.keys(reference.data ?? {}))
      }),
      { numRuns: 500 },
    )
  })

  it('refuses variables as graphql-js', async () => {
    const text = 'query Q($first: Int!) { thing { parts(first: $first) { id } } }'
    for (const variables of [{}, { first: 'x' }, { first: null }, { first: 1, more: 2 }]) {
      const [ours, reference] = await runBoth(text, { thing: { parts: [] } }, variables)
      assert.deepEqual(plain(ours), plain(reference))
    }
  })
})

function sorted({ errors = [] }: ExecutionResult) {
  return errors.map(({ path, locations }) => JSON.stringify({ path, locations })).sort()
}

describe('what has no plan', () => {
  const documents = [
    'query Q($with: Boolean!) { thing @skip(if: $with) { id } }',
    '{ thing { ... @include(if: true) { id } } }',
    '{ __schema { types { name } } }',
    '{ __proto__: thing { id } }',
    '{ thing { id } } query Two { thing { id } }',
  ]
  for (const text of documents) {
    it(text, () => assert.equal(planQuery(schema, parse(text)), undefined))
  }
})
