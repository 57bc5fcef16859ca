import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { permissions } from '../../../../src/people/accounts/index.ts'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { type Answer, ask } from '../../../fixtures/wire/graphql.ts'
import { fieldsOfAllGroups, needsMore, storesAnyId } from './exceptions.ts'
import {
  callsWithOne,
  callsWithUnheard,
  type Field,
  formatCall,
  type Kind,
  listFields,
  makeVariables,
  nestedCall,
  nestedFields,
  readPermission,
  selectAll,
  selectLeast,
  type Variables,
  waysTo,
} from './fields.ts'
import { isSilent } from './published-topics.ts'
import type { Ids } from './requests.ts'
import { inGroups, makeUnknown, replaced } from './unknown-ids.ts'
import { openWorld, type World } from './world.ts'

let world: World
const inWorld = sharedBySuites(async (context) => {
  world = await openWorld(context)
})

/** Each field of Query and of Mutation. */
const fields = (['query', 'mutation'] as const).flatMap((kind) =>
  listFields(kind).map((field) => ({ kind, field })),
)

const send = (as: string, text: string, variables: Variables) =>
  ask({ url: `${world.httpUrl}/api/graphql` }, as, text, variables)

/** The data and the refusals of an answer. */
function formatResult({ data = null, errors = [] }: Answer): string {
  const refusals = errors.map(({ message, extensions: { code } }) => `${code}: ${message}`)
  return JSON.stringify([data, ...refusals])
}

/** Asks for as little as a field has. */
async function askLeast(as: string, kind: Kind, field: Field, given: Variables, more?: string[]) {
  return formatResult(
    await send(as, formatCall(kind, field, given, selectLeast(field), more), given),
  )
}

/** Begins a subscription. @returns its first event. */
async function firstEvent(as: string, field: Field, given: Variables): Promise<string> {
  const response = await fetch(`${world.httpUrl}/api/graphql`, {
    method: 'POST',
    signal: AbortSignal.timeout(waitMsMax),
    headers: {
      ...(as !== '' && { authorization: as }),
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      query: formatCall('subscription', field, given, selectLeast(field)),
      variables: given,
    }),
  })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (/^data: ./m.test(text)) break
  }
  return text
}

describe('each field of the graph API', () => {
  inWorld()

  it('asks for a credential', async () => {
    for (const { kind, field } of fields) {
      const result = await askLeast('', kind, field, makeVariables(field, world.ids))
      assert.match(result, /^\[null,"unknown_credential: [^"]*"\]$/, field.name)
    }
    for (const field of listFields('subscription')) {
      const text = await firstEvent('', field, makeVariables(field, world.ids))
      assert.match(text, /"unknown_credential"/, field.name)
    }
  })

  for (const missing of permissions) {
    it(`is refused without the permission ${missing}, wherever it lies`, async () => {
      const token = await world.tokenWith(permissions.filter((one) => one !== missing))
      const refusal = `This needs the permission \\"${missing}\\".`
      const isWanted = (field: Field) => readPermission(field) === missing
      for (const { kind, field } of fields.filter((one) => isWanted(one.field))) {
        const result = await askLeast(token, kind, field, makeVariables(field, world.ids))
        assert.ok(result.endsWith(`,"forbidden: ${refusal}"]`), `${field.name}: ${result}`)
      }
      for (const field of listFields('subscription').filter(isWanted)) {
        const text = await firstEvent(token, field, makeVariables(field, world.ids))
        assert.ok(text.includes(refusal), field.name)
      }
      for (const field of nestedFields(isWanted)) {
        const refusals = await Promise.all(
          waysTo(field).map(async (way) => {
            const given = makeVariables(way.root, world.ids)
            const whole = await send(world.tokens.whole, nestedCall(way, given), given)
            assert.equal(whole.errors, undefined, nestedCall(way, given))
            const { errors = [] } = await send(token, nestedCall(way, given), given)
            return errors.map(({ message }) => JSON.stringify(message).slice(1, -1))
          }),
        )
        assert.deepEqual(new Set(refusals.flat()), new Set([refusal]), field.name)
      }
    })
  }

  it('refuses an argument or a field of an input that it does not have, by its name', async () => {
    const { whole } = world.tokens
    for (const { kind, field } of fields) {
      const given = makeVariables(field, world.ids)
      const refused = /^\[null,"invalid_argument: [^"]*\\"unheard\\"/
      assert.match(await askLeast(whole, kind, field, given, ['unheard: 1']), refused, field.name)
      for (const wrong of callsWithUnheard(field, world.ids)) {
        const result = await askLeast(whole, kind, field, wrong)
        assert.match(result, /^\[null,"invalid_argument: .*\\"unheard\\"/, JSON.stringify(wrong))
      }
    }
  })

  it('refuses a page out of its bounds, by its name, wherever it lies', async () => {
    const isPaged = ({ args }: Field) => args.some(({ name }) => name === 'pagination')
    const roots = listFields('query').filter(isPaged)
    const places = [
      ...roots.map((root) => ({ root, path: [] })),
      ...nestedFields(isPaged).flatMap((field) => waysTo(field).slice(0, 1)),
    ]
    assert.ok(places.length > 20)
    for (const place of places) {
      for (const page of ['limit: -1', 'limit: 1001', 'offset: -1']) {
        const given = makeVariables(place.root, world.ids)
        const text = nestedCall(place, given, [`pagination: { ${page} }`])
        const [name] = page.split(':')
        const refused = new RegExp(`"(invalid_argument|list_too_long): ${name} (is|must) `)
        assert.match(formatResult(await send(world.tokens.whole, text, given)), refused, text)
      }
    }
  })
})

/** Returns the ids of a caller's own things, and of those that it does not see. */
function listIds(who: 'other' | 'subtree') {
  const { ids, own } = world
  const { connector = '', template = '', module = '', function: name = '' } = ids
  // These lie in no group, and all of the business see them.
  const shared: Ids = who === 'subtree' ? { connector, template, module } : {}
  const mine: Ids = { ...own[who], ...shared, function: name, 'built-in module': 'builtin' }
  const names = [...inGroups, 'connector', 'template', 'module']
  const foreign = Object.entries(ids).filter(([name]) => names.includes(name))
  const theirs: Ids = Object.fromEntries(foreign.filter(([name]) => shared[name] === undefined))
  return { mine, theirs, shared: Object.values(shared) }
}

describe('each field of the graph API, for who does not see what it names', () => {
  inWorld()

  /** Asks for each field with ids of others, and compares with the answer for what is nowhere. */
  async function walk(who: 'other' | 'subtree', skipped: readonly string[]) {
    const { mine, theirs, shared } = listIds(who)
    // In a connector of one's own any identity may be named.
    const one = who === 'other' ? { ...theirs, identity: mine.identity ?? '' } : theirs
    const unknown = makeUnknown(theirs)
    const texts = who === 'other' ? [...world.texts, world.businessId] : world.texts
    const foreign = texts.filter((text) => !shared.includes(text))
    const isForeign = (text: string) => foreign.some((one) => text.includes(one))
    const rows = async () => (await world.rows()).filter(isForeign)
    const was = await rows()
    for (const { kind, field } of fields.filter(({ field: { name } }) => !skipped.includes(name))) {
      const askWith = async (text: string) => {
        const given = JSON.parse(text)
        const call = formatCall(kind, field, given, selectAll(field))
        return formatResult(await send(world.tokens[who], call, given))
      }
      const all = { ...mine, ...theirs, caller: who }
      const calls = [makeVariables(field, all), ...callsWithOne(field, mine, one)]
      for (const given of new Set(calls.map((call) => JSON.stringify(call)))) {
        const result = await askWith(given)
        assert.doesNotMatch(result, /"internal: /, given)
        const nowhere = replaced(given, theirs, unknown)
        if (nowhere === given) assert.ok(!isForeign(result), `${field.name}: ${result}`)
        else assert.equal(result, replaced(await askWith(nowhere), unknown, theirs), given)
      }
    }
    assert.deepEqual(await rows(), was, 'nothing changed')
  }

  it('answers another business as if nothing of it existed', async () => {
    await walk('other', storesAnyId)
  })

  it('answers a caller of another group as if nothing of it existed', async () => {
    await walk('subtree', [])
  })

  it('ends a subscription to it as one to what is nowhere', async () => {
    const { whole } = world.tokens
    const after: Variables = { values: '2026-01-31T12:00:00Z', events: '0', logLines: '1.1.1' }
    for (const field of listFields('subscription')) {
      const since = after[field.name]
      const given = {
        ...makeVariables(field, world.ids),
        ...(since !== undefined && { after: since }),
      }
      assert.match(await firstEvent(whole, field, given), /"data":\{/, field.name)
      for (const who of ['subtree', 'other'] as const) {
        const { theirs } = listIds(who)
        const unknown = makeUnknown(theirs)
        const nowhere = JSON.parse(replaced(JSON.stringify(given), theirs, unknown))
        const result = await firstEvent(world.tokens[who], field, given)
        assert.match(result, /"code":"(not_found|unknown_identity)"/, field.name)
        const ofNone = await firstEvent(world.tokens[who], field, nowhere)
        assert.equal(result, replaced(ofNone, unknown, theirs), field.name)
      }
    }
  })

  it('lets a caller of one group ask and change what lies in it, and nothing else', async () => {
    const given = { ...world.ids, ...listIds('subtree').mine, caller: 'own' }
    const refused: [string, string][] = []
    for (const { kind, field } of inOrder()) {
      const result = await askLeast(world.tokens.subtree, kind, field, makeVariables(field, given))
      const [, code] = /"(\w+): [^"]*"\]$/.exec(result) ?? []
      if (code !== undefined) refused.push([field.name, code])
    }
    const expected = Object.entries(fieldsOfAllGroups).map(([name, [code]]) => [name, code])
    assert.deepEqual(Object.fromEntries(refused), Object.fromEntries(expected))
  })

  it('does what it is asked for by who has its permission, and publishes it', async () => {
    const tokens = new Map<string, string>()
    for (const one of permissions) tokens.set(one, await world.tokenWith([one]))
    const silent: string[] = []
    for (const { kind, field } of inOrder()) {
      const own = needsMore.test(field.name) ? undefined : tokens.get(readPermission(field) ?? '')
      const given = makeVariables(field, { ...world.ids, caller: 'owner' })
      world.takeTopics()
      const result = await askLeast(own ?? world.tokens.whole, kind, field, given)
      assert.match(result, /^\[\{.*\}\]$/, field.name)
      if (kind === 'mutation' && isSilent(field.name, world.takeTopics())) silent.push(field.name)
    }
    assert.deepEqual(silent, [])
  })
})

/** So that a field that removes something comes after those that need it. */
function inOrder() {
  const last = ['moveSignal', 'deleteSignal', 'deleteAsset', 'deleteUser', 'deleteGroup']
  const rank = (name: string) =>
    last.includes(name) ? 1 + last.indexOf(name) : /^(delete|revoke|unlink)/.test(name) ? 0 : -1
  return fields.toSorted((a, b) => rank(a.field.name) - rank(b.field.name))
}
