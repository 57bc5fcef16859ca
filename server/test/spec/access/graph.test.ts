import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { buildSchema, type GraphQLField, getDirectiveValues, isObjectType } from 'graphql'
import { readSchema } from '../../../src/graphql/index.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { callsWith } from './schema-walk.ts'
import { openWorld, type World } from './world.ts'

const schema = buildSchema(readSchema())

function fieldsOf(name: 'Query' | 'Mutation'): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(name)
  assert(isObjectType(type))
  return Object.values(type.getFields())
}

type Call = ReturnType<typeof callsWith>[number]

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
  before(async () => {
    world = await openWorld(context)
  })

  for (const who of ['other', 'subtree'] as const) {
    it(`shows and changes nothing of what is not seen: ${who}`, async () => {
      const was = await world.state()
      const tried: string[] = []
      for (const kind of ['Query', 'Mutation'] as const) {
        for (const field of fieldsOf(kind)) {
          for (const { text, variables } of callsWith(field, world.ids)) {
            const asked = `${kind.toLowerCase()}${text}`
            const answer = await world.ask(world.tokens[who], asked, variables)
            const shown = JSON.stringify(answer.data ?? null)
            assert.ok(!shown.includes(world.marker), `${text}: ${shown}`)
          }
          tried.push(field.name)
        }
      }
      assert.equal(await world.state(), was, 'nothing changed')
      assert.ok(tried.length > 75, `${tried.length} fields`)
    })
  }

  it('changes nothing for a Viewer, who is refused each field that needs more', async () => {
    const was = await world.state()
    for (const kind of ['Query', 'Mutation'] as const) {
      for (const field of fieldsOf(kind)) {
        if (ofViewers.includes(permissionOf(field))) continue
        const [{ text, variables }] = callsWith(field, world.ids.slice(0, 1)) as [Call]
        const asked = `${kind.toLowerCase()}${text}`
        const answer = await world.ask(world.tokens.viewer, asked, variables)
        const codes = answer.errors?.map(({ extensions }) => extensions.code)
        assert.deepEqual(codes, ['forbidden'], field.name)
      }
    }
    assert.equal(await world.state(), was, 'nothing changed')
  })

  it('shows it to who sees it: the walk can fail', async () => {
    const shown: string[] = []
    for (const field of fieldsOf('Query')) {
      for (const { text, variables } of callsWith(field, world.ids)) {
        const answer = await world.ask(world.tokens.whole, `query${text}`, variables)
        if (JSON.stringify(answer.data ?? null).includes(world.marker)) shown.push(field.name)
      }
    }
    const some = ['assets', 'asset', 'devices', 'groups', 'conditionQuery', 'policies', 'logs']
    for (const name of [...some, 'workInstructions']) assert.ok(shown.includes(name), name)
  })
})
