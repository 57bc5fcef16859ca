import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { type Contract, contracts, isStream } from '../../../../src/api/management/index.ts'
import { permissions } from '../../../../src/people/accounts/index.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import {
  forAnyone,
  forOneGroup,
  freeBodies,
  needsMore,
  otherRefusals,
  refusedToOwner,
  shownToAll,
} from './exceptions.ts'
import { isSilent } from './published-topics.ts'
import { type Given, makeRequest } from './requests.ts'
import { inGroups, makeUnknown, replaced } from './unknown-ids.ts'
import { openWorld, type World } from './world.ts'
import { listOutOfRange, withUnknownFields } from './wrong-values.ts'

type Answered = { readonly status: number; readonly headers: Headers; readonly text: string }

let world: World
const inWorld = sharedBySuites(async (context) => {
  world = await openWorld(context)
})

async function send({ method, path, body, type }: Given, as?: string): Promise<Answered> {
  const stop = new AbortController()
  const response = await fetch(`${world.httpUrl}${path}`, {
    method,
    redirect: 'manual',
    signal: stop.signal,
    headers: {
      ...(as !== undefined && { authorization: as }),
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
    },
    ...(body !== undefined && { body: type === undefined ? JSON.stringify(body) : String(body) }),
  })
  const { status, headers } = response
  const isLive = headers.get('content-type')?.startsWith('text/event-stream')
  const text = isLive ? '' : await response.text()
  stop.abort()
  return { status, headers, text }
}

/** The status, with the code and the sentence of an error. */
function formatResult({ status, text }: Answered): string {
  if (status < 400 || text === '') return String(status)
  const { code, message } = JSON.parse(text)
  return `${status} ${code}: ${message}`
}

/** The credential with which an operation is called. */
function findOwner({ permission }: Contract): string | undefined {
  const { session, operator, whole } = world.tokens
  if (permission === 'none') return undefined
  return permission === 'operator' ? operator : permission === 'account' ? session : whole
}

const withCredential = contracts.filter(({ permission }) => permission !== 'none')
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const first = [
  'openRotation',
  'createAuthority',
  'runFailure',
  'endUserSession',
  'correctFailedCall',
  'deleteBusiness',
  'discardFailure',
  'discardFailedCall',
  'discardStageFailure',
]
const last = ['deleteGroup', 'endSession', 'endSessions', 'changePassword', 'signOut']

/** So that an operation that uses something up comes after those that need it. */
function inOrder(): Contract[] {
  const rank = ({ id, method }: Contract) => {
    if (first.includes(id)) return -1
    return last.includes(id) ? methods.length + last.indexOf(id) : methods.indexOf(method)
  }
  return withCredential.toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length)
}

describe('each operation of the management API', () => {
  inWorld()

  it('asks for a credential before it reads a body, or is one of those for anyone', async () => {
    for (const contract of withCredential) {
      const given = makeRequest(contract, world.ids)
      const wrong =
        given.body === undefined ? given : { ...given, type: 'application/json', body: '{' }
      for (const as of [undefined, 'Automation 0123456789abcdef0123456789abcdef01234567']) {
        const answer = await send(wrong, as)
        assert.match(formatResult(answer), /^401 unknown_credential/, contract.id)
        assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="Millrace"')
      }
    }
    const open = contracts.filter(({ permission }) => permission === 'none').map(({ id }) => id)
    assert.deepEqual(open.sort(), [...forAnyone].sort())
  })

  it('is refused without its permission', async () => {
    for (const missing of permissions) {
      const token = await world.tokenWith(permissions.filter((one) => one !== missing))
      for (const contract of contracts.filter(({ permission }) => permission === missing)) {
        const answer = await send(makeRequest(contract, world.ids), token)
        const refusal = `403 forbidden: This needs the permission "${missing}".`
        assert.equal(formatResult(answer), refusal, contract.id)
      }
    }
    for (const contract of contracts.filter(({ permission }) => permission === 'operator')) {
      const answer = await send(makeRequest(contract, world.ids), world.tokens.whole)
      assert.equal(formatResult(answer), '403 forbidden: This is for the operator of the instance.')
    }
  })

  it('refuses a field that it does not have, by its name', async () => {
    const free: string[] = []
    for (const contract of contracts) {
      const { body } = contract.details()
      const given = makeRequest(contract, world.ids)
      if (body === undefined || given.type !== undefined) continue
      const wrong = [...withUnknownFields(isStream(body) ? body.schema : body, given.body)]
      if (wrong.length === 0) free.push(contract.id)
      for (const one of wrong) {
        const answer = await send({ ...given, body: one }, findOwner(contract))
        assert.match(formatResult(answer), /^400 \w+: .*\bunheard\b/, contract.id)
      }
    }
    assert.deepEqual(free.sort(), Object.keys(freeBodies))
  })

  it('refuses a parameter of the query that it does not have, by its name', async () => {
    for (const contract of withCredential) {
      const given = makeRequest(contract, world.ids)
      const path = `${given.path}${given.path.includes('?') ? '&' : '?'}unheard=1`
      const result = formatResult(await send({ ...given, path }, findOwner(contract)))
      assert.match(result, /^400 \w+: .*"unheard" is not a field here/, contract.id)
    }
  })

  it('refuses a number out of its bounds, by its name, and takes the largest page', async () => {
    let tried = 0
    for (const contract of contracts) {
      const given = makeRequest(contract, world.ids)
      const sendWith = (name: string, value: string) => {
        const end = given.path.includes('?') ? '&' : '?'
        return send({ ...given, path: `${given.path}${end}${name}=${value}` }, findOwner(contract))
      }
      for (const { name, wrong, largest } of listOutOfRange(contract.details().query)) {
        for (const value of wrong) {
          const result = formatResult(await sendWith(name, value))
          assert.match(result, new RegExp(`^400 \\w+: ${name} `), `${contract.id} ${value}`)
          tried += 1
        }
        if (name !== 'limit') continue
        assert.equal(formatResult(await sendWith(name, largest)), '200', contract.id)
      }
    }
    assert.ok(tried > 150, `${tried} requests`)
  })

  it('answers HEAD as it answers GET, and 405 with Allow to another method', async () => {
    for (const [path, own = []] of Map.groupBy(contracts, ({ path }) => path)) {
      const [contract] = own
      assert(contract)
      const { path: url } = makeRequest(contract, world.ids)
      const known = new Set<string>(own.map(({ method }) => method))
      if (known.has('GET')) {
        const [get, head] = [
          await send({ method: 'GET', path: url }, findOwner(contract)),
          await send({ method: 'HEAD', path: url }, findOwner(contract)),
        ]
        assert.deepEqual([head.status, head.text], [get.status, ''], path)
        known.add('HEAD')
      }
      for (const method of [...methods, 'HEAD', 'OPTIONS']) {
        if (known.has(method)) continue
        const answer = await send({ method, path: url }, findOwner(contract))
        assert.match(formatResult(answer), /^405( method_not_allowed: .*)?$/, `${method} ${path}`)
        assert.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), known, path)
      }
    }
  })
})

describe('each operation of the management API, for who does not see what it names', () => {
  inWorld()

  /** Sends all in their order. @returns those that were not refused. */
  async function walk(who: 'other' | 'subtree', skipped: object, shown: readonly string[]) {
    const { texts, businessId, ids } = world
    const others = texts.filter((text) => text !== ids.connector)
    const foreign = who === 'other' ? [...texts, businessId] : others
    const isForeign = (text: string) => foreign.some((one) => text.includes(one))
    const rows = async () => (await world.rows()).filter(isForeign)
    const unknown = who === 'other' ? makeUnknown(ids) : makeUnknown(ids, inGroups)
    const was = await rows()
    const done: string[] = []
    for (const contract of inOrder()) {
      const { id } = contract
      if (id in skipped) continue
      const answer = await send(makeRequest(contract, { ...ids, caller: who }), world.tokens[who])
      if (answer.status < 400) {
        done.push(id)
        assert.ok(shown.includes(id) || !isForeign(answer.text), `${id}: ${answer.text}`)
        continue
      }
      const result = formatResult(answer)
      const other = otherRefusals[id]
      if (other !== undefined && result.startsWith(other)) continue
      assert.match(result, /^40[34] /, id)
      const nowhere = makeRequest(contract, { ...unknown, caller: who })
      const same = formatResult(await send(nowhere, world.tokens[who]))
      assert.equal(replaced(same, unknown, ids), result, `${id}: as if it did not exist`)
    }
    assert.deepEqual(await rows(), was, 'nothing changed')
    return done.sort()
  }

  it('shows and changes nothing of another business', async () => {
    // The audit log of the other business has what it tried.
    const done = await walk('other', { listAudit: 'its own' }, [])
    const named = contracts.filter(({ path }) => /:(?!1\/|stage)/.test(path)).map(({ id }) => id)
    assert.deepEqual(
      done.filter((id) => named.includes(id)),
      [],
    )
    assert.ok(done.length > 30)
  })

  it('shows and changes nothing of another group, or of what lies in none', async () => {
    assert.deepEqual(await walk('subtree', {}, shownToAll), Object.keys(forOneGroup).sort())
  })

  it('does what it is asked for by who has its permission, and publishes it', async () => {
    const only = new Map<string, string>()
    for (const one of permissions) only.set(one, await world.tokenWith([one]))
    const silent: string[] = []
    for (const contract of inOrder()) {
      const { id, permission } = contract
      const token = needsMore.test(id) ? undefined : only.get(permission)
      const as = last.includes(id) ? await world.signIn() : (token ?? findOwner(contract))
      world.takeTopics()
      const result = formatResult(
        await send(makeRequest(contract, { ...world.ids, caller: 'owner' }), as),
      )
      const [refusal] = refusedToOwner[id] ?? ['20']
      assert.ok(result.startsWith(refusal), `${id}: ${result}`)
      if (refusal === '20' && isSilent(id, world.takeTopics())) silent.push(id)
    }
    assert.deepEqual(silent, [])
  })
})
