import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { buildSchema, type GraphQLField, getDirectiveValues, isObjectType } from 'graphql'
import { readSchema } from '../../../src/graphql/index.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { ask } from '../../fixtures/wire/graphql.ts'
import { callsWith } from './schema-walk.ts'
import { marker, openWorld, type World } from './world.ts'

const schema = buildSchema(readSchema())

function fieldsOf(name: 'Query' | 'Mutation'): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(name)
  assert(isObjectType(type))
  return Object.values(type.getFields())
}

type Call = ReturnType<typeof callsWith>[number]

const idNames = [
  ...['group', 'connector', 'asset', 'signal', 'link', 'condition', 'instruction', 'policy'],
  ...['user', 'token', 'device', 'identity'],
]

/** What needs no more than to see: a Viewer may. */
const ofViewers: readonly string[] = ['View Asset', 'View Asset Data']

function permissionOf(field: GraphQLField<unknown, unknown>): string {
  const directive = schema.getDirective('permission')
  assert(directive && field.astNode)
  return String(getDirectiveValues(directive, field.astNode)?.requires)
}

describe('every field of the graph API', () => {
  const context = suiteContext()
  let world: World
  let ids: string[]
  before(async () => {
    world = await openWorld(context)
    ids = idNames.map((name) => world.ids[name] ?? assert.fail(name))
  })
  const askWith = (as: string, query: string, variables: Record<string, unknown>) =>
    ask({ url: `${world.httpUrl}/api/graphql` }, as, query, variables)
  const state = async () =>
    JSON.stringify((await world.rows()).filter((row) => ids.some((id) => row.includes(id))))

  for (const who of ['other', 'subtree'] as const) {
    it(`shows and changes nothing of what is not seen: ${who}`, async () => {
      const was = await state()
      const tried: string[] = []
      for (const kind of ['Query', 'Mutation'] as const) {
        for (const field of fieldsOf(kind)) {
          for (const { text, variables } of callsWith(field, ids)) {
            const asked = `${kind.toLowerCase()}${text}`
            const answer = await askWith(world.tokens[who], asked, variables)
            const shown = JSON.stringify(answer.data ?? null)
            assert.ok(!shown.includes(marker), `${text}: ${shown}`)
          }
          tried.push(field.name)
        }
      }
      assert.equal(await state(), was, 'nothing changed')
      assert.ok(tried.length > 75, `${tried.length} fields`)
    })
  }

  it('changes nothing for a Viewer, who is refused each field that needs more', async () => {
    const was = await state()
    for (const kind of ['Query', 'Mutation'] as const) {
      for (const field of fieldsOf(kind)) {
        if (ofViewers.includes(permissionOf(field))) continue
        const [{ text, variables }] = callsWith(field, ids.slice(0, 1)) as [Call]
        const asked = `${kind.toLowerCase()}${text}`
        const answer = await askWith(world.tokens.viewer, asked, variables)
        const codes = answer.errors?.map(({ extensions }) => extensions.code)
        assert.deepEqual(codes, ['forbidden'], field.name)
      }
    }
    assert.equal(await state(), was, 'nothing changed')
  })

  it('shows it to who sees it: the walk can fail', async () => {
    const shown: string[] = []
    for (const field of fieldsOf('Query')) {
      for (const { text, variables } of callsWith(field, ids)) {
        const answer = await askWith(world.tokens.whole, `query${text}`, variables)
        if (JSON.stringify(answer.data ?? null).includes(marker)) shown.push(field.name)
      }
    }
    const some = ['assets', 'asset', 'devices', 'groups', 'conditionQuery', 'policies', 'logs']
    for (const name of [...some, 'workInstructions']) assert.ok(shown.includes(name), name)
  })
})
