import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { execute, type GraphQLSchema, isObjectType, parse, specifiedDirectives } from 'graphql'
import { Fault } from '../../foundation/kernel/index.ts'
import type { Permission } from '../../people/accounts/index.ts'
import type { Context } from './context.ts'
import { planQuery } from './execution/plan.ts'
import { runPlan } from './execution/run-plan.ts'
import { createSchema } from './schema.ts'

const head = 'directive @permission(requires: String!) on FIELD_DEFINITION scalar Timestamp '

describe('a schema is refused', () => {
  const mutation = 'type Query { a: Int @permission(requires: "Setup") } type Mutation { b: Int }'
  const faults: readonly (readonly [string, RegExp])[] = [
    ['type Query { a: Int }', /^Query\.a has no @permission$/],
    [mutation, /^Mutation\.b has no @permission$/],
    [mutation.replace('Mutation', 'Subscription'), /^Subscription\.b has no @permission$/],
    [
      'schema { query: Root } type Root { a: Int @permission(requires: "Setup") b: Int }',
      /^Root\.b has no @permission$/,
    ],
    [
      'type Query { a: Int @permission(requires: "View Assets") }',
      /^Query\.a requires "View Assets", which is not a permission$/,
    ],
    ['type Query { a: Int @permission }', /requires:\)" of type "String!" is required/],
    [
      `type Query { a: I @permission(requires: "Setup") }
       interface I { b: Int @permission(requires: "Setup") }`,
      /^I\.b is of an interface/,
    ],
  ]
  for (const [text, message] of faults) {
    it(text, () => assert.throws(() => createSchema({}, head + text), { message }))
  }

  it('without the directive', () => {
    const text = 'scalar Timestamp type Query { a: Int }'
    assert.throws(() => createSchema({}, text), { message: /no directive @permission/ })
  })
})

const nested = `${head}
  type Query { thing: Thing @permission(requires: "View Asset") }
  type Thing { open: Int  "A secret." secret: Int @permission(requires: "Setup") }
`

describe('a field below the root', () => {
  const schema = createSchema({ Query: { thing: () => ({ open: 1, secret: 2 }) } }, nested)

  for (const run of [byPlan, byGraphqlJs]) {
    it(`is guarded without a resolver of its own, ${run.name}`, async () => {
      const refused = await run(schema, '{ thing { open secret } }', ['View Asset'])
      assert.deepEqual(plain(refused.data), { thing: { open: 1, secret: null } })
      const [error] = refused.errors ?? []
      assert(error?.originalError instanceof Fault)
      assert.equal(error.originalError.code, 'forbidden')
      assert.deepEqual(error.path, ['thing', 'secret'])
      const allowed = await run(schema, '{ thing { open secret } }', ['View Asset', 'Setup'])
      assert.deepEqual(plain(allowed), { data: { thing: { open: 1, secret: 2 } } })
    })
  }

  it('names its permission in its description, and the directive is not served', () => {
    const thing = schema.getType('Thing')
    assert(isObjectType(thing))
    const { description } = thing.getFields().secret ?? {}
    assert.equal(description, 'A secret. Needs the permission Setup.')
    assert.deepEqual(schema.getDirectives(), specifiedDirectives)
  })
})

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

function makeContext(names: readonly Permission[]): Context {
  const work = { countLookups() {}, countTexts() {} }
  return { principal: { permissions: new Set(names) }, work } as unknown as Context
}

async function byPlan(schema: GraphQLSchema, text: string, names: readonly Permission[]) {
  const plan = planQuery(schema, parse(text))
  assert(plan)
  return await runPlan(schema, plan, makeContext(names), undefined)
}

async function byGraphqlJs(schema: GraphQLSchema, text: string, names: readonly Permission[]) {
  return await execute({ schema, document: parse(text), contextValue: makeContext(names) })
}
