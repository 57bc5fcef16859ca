import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { solutionUserLimits } from '../../../../src/scripts/services/user/index.ts'
import { interfaceFixture, until } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) =>
  interfaceFixture(suite, { own: 'moves the clock away from that of scripts' }),
)

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

const { ask, refused } = serviceCalls('user', () => fixture)

const password = 'right password 1'

async function signUp(email: string): Promise<{ id: number; code: string }> {
  const code = (await ask('createUser', { email, password, name: 'Ann' })) as unknown as string
  const { items } = (await ask('listUsers', { filter: `email::eq::${email}` })) as unknown as {
    items: { id: number }[]
  }
  return { id: items[0]?.id ?? -1, code }
}

async function active(email: string): Promise<number> {
  const { id, code } = await signUp(email)
  assert.equal(await ask('activateUser', { code }), 'OK')
  return id
}

const signIn = async (email: string, more: Table = {}) =>
  (await ask('getUserToken', { email, password, ...more })) as unknown as string

describe('user: sign-up, activation and tokens', () => {
  shareInstance()

  test('createUser answers the code, a text; activateUser makes the user active', async () => {
    const source = `
      local email = "flow@example.com"
      local code = User.createUser{name = "Flow", email = email, password = "right password 1"}
      local early = User.getUserToken{email = email, password = "right password 1"}
      local before = User.listUsers{filter = {"email::like::flow@"}}.items[1]
      User.activateUser{code = code}
      local token = User.getUserToken{email = email, password = "right password 1",
        time_to_live = 24 * 60 * 60}
      local user = User.getCurrentUser{token = token}
      return {type(code), early.status, before.status, type(token), user.status, user.email,
        user.name, user.id == before.id, math.abs(user.creation_date - os.time()) < 1000}`
    const wanted = ['string', 403, 0, 'string', 1, 'flow@example.com', 'Flow', true, true]
    assert.deepEqual(await run(source), wanted)
  })

  test('an address that is there is a 400, in any letter case; a code works once', async () => {
    const { code } = await signUp('once@example.com')
    await refused('createUser', { email: 'ONCE@example.com', password }, 400, /address already/)
    assert.equal(await ask('activateUser', { code }), 'OK')
    await refused('activateUser', { code }, 404, /code is unknown/)
    await refused('activateUser', { code: 'never' }, 404, /code is unknown/)
  })

  test('a code of a sign-up ends with its time', async () => {
    const { code } = await signUp('late@example.com')
    fixture.millrace.clock.advance(solutionUserLimits.solutionActivationHours * 3_600_000)
    await refused('activateUser', { code }, 404, /has expired/)
  })

  test('a token ends with its time to live, and with the new status of its user', async () => {
    const id = await active('ttl@example.com')
    const brief = await signIn('TTL@example.com', { time_to_live: 600 })
    const long = await signIn('ttl@example.com', { time_to_live: '1200' })
    fixture.millrace.clock.advance(500_000)
    assert.equal((await ask('getCurrentUser', { token: brief })).id, id)
    fixture.millrace.clock.advance(100_000)
    await refused('getCurrentUser', { token: brief }, 401, /not valid/)
    assert.equal((await ask('getCurrentUser', { token: long })).id, id)
    assert.deepEqual(await ask('updateUser', { id, status: 2 }), { status: 204 })
    await refused('getCurrentUser', { token: long }, 401, /not valid/)
    await refused('getUserToken', { email: 'ttl@example.com', password }, 403, /not active/)
    await fixture.millrace.platform.users.sweep()
    const { database } = fixture.millrace.platform
    assert.equal(
      await database.one('select 1 as one from user_token where user_id = $1', [id]),
      undefined,
    )
  })

  test('wrong passwords are the same 401 as unknown addresses, and lock out', async () => {
    await active('locked@example.com')
    const wrong = { email: 'locked@example.com', password: 'wrong' }
    const unknown = { email: 'nobody@example.com', password: 'wrong' }
    assert.deepEqual(await ask('getUserToken', wrong), await ask('getUserToken', unknown))
    for (let at = 1; at < solutionUserLimits.solutionSignInFailuresMax; at += 1) {
      await refused('getUserToken', wrong, 401, /wrong/)
      await refused('getUserToken', unknown, 401, /wrong/)
    }
    await refused('getUserToken', { ...wrong, password }, 429, /too many wrong/)
    await refused('getUserToken', unknown, 429, /too many wrong/)
    fixture.millrace.clock.advance(60_000)
    assert.equal(typeof (await ask('getUserToken', { ...wrong, password })), 'string')
  })

  test('passwords, codes and tokens are stored as hashes', async () => {
    const id = await active('hash@example.com')
    const token = await signIn('hash@example.com')
    const { database } = fixture.millrace.platform
    const rows = await database.rows('select * from user_account where id = $1', [id])
    const tokens = await database.rows('select * from user_token where user_id = $1', [id])
    const stored = JSON.stringify([rows, tokens])
    assert.match(stored, /\$argon2id\$/)
    assert.ok(!stored.includes(password) && !stored.includes(token))
  })

  test('a user has so many tokens, the oldest ends', async () => {
    const id = await active('many@example.com')
    const first = await signIn('many@example.com', { time_to_live: 3_600 })
    for (let at = 0; at < solutionUserLimits.solutionTokensPerUserMax; at += 1) {
      await signIn('many@example.com', { time_to_live: 7_200 })
    }
    await refused('getCurrentUser', { token: first }, 401, /not valid/)
    assert.equal((await ask('getUser', { id })).email, 'many@example.com')
  })
})

describe('user: passwords, changes and events', () => {
  shareInstance()

  test('resetUserPassword by id, or by a code that works once; tokens end', async () => {
    const email = 'reset@example.com'
    const id = await active(email)
    const token = await signIn(email)
    await ask('resetUserPassword', { id, password: 'second password' })
    await refused('getCurrentUser', { token }, 401, /not valid/)
    await refused('getUserToken', { email, password }, 401, /wrong/)
    const code = (await ask('requestPasswordReset', { email })) as unknown as string
    assert.deepEqual(await ask('resetUserPassword', { code, password }), { status: 204 })
    assert.equal(typeof (await signIn(email)), 'string')
    await refused('resetUserPassword', { code, password }, 404, /code is unknown/)
    const other = (await ask('requestPasswordReset', { email })) as unknown as string
    fixture.millrace.clock.advance(solutionUserLimits.solutionResetHours * 3_600_000)
    await refused('resetUserPassword', { code: other, password }, 404, /has expired/)
    await refused('requestPasswordReset', { email: 'no@example.com' }, 404, /no such user/)
    await refused('resetUserPassword', { password }, 400, /either id or code/)
    await refused('resetUserPassword', { id, code, password }, 400, /either id or code/)
  })

  test('updateUser: name, address, and a password with the one of before', async () => {
    const id = await active('update@example.com')
    await ask('updateUser', { id: String(id), name: 'New', email: 'Updated@example.com' })
    const seen = await ask('getUser', { id })
    assert.deepEqual([seen.name, seen.email, seen.status], ['New', 'Updated@example.com', 1])
    const change = { id, password: 'third password' }
    await refused('updateUser', change, 400, /original_password/)
    await refused('updateUser', { ...change, original_password: 'x' }, 401, /original/)
    await ask('updateUser', { ...change, original_password: password })
    await refused('getUserToken', { email: 'updated@example.com', password }, 401, /wrong/)
    await active('taken@example.com')
    await refused('updateUser', { id, email: 'TAKEN@example.com' }, 400, /address already/)
    await refused('updateUser', { id: 10_000, name: 'x' }, 404, /no such user/)
  })

  test('the handler user_account is called at each change, after the commit', async () => {
    await fixture.solution('watcher')
    const handler = 'Keystore.command{key = "seen", command = "rpush", args = {event}}'
    await fixture.put('watcher', 'user_account', handler)
    const source = `
      local code = User.createUser{email = "event@example.com", password = "right password 1"}
      User.activateUser{code = code}
      local id = User.listUsers().items[1].id
      User.deleteUser{id = id}
      return id`
    const id = await fixture.run('watcher', source)
    const read = 'return Keystore.get{key = "seen"}.value'
    const seen = await until(
      async () => (await fixture.run('watcher', read)) as Table[] | undefined,
      (value) => value?.length === 3,
    )
    const types = seen?.map((one) => [one.type, one.id, one.email])
    const of = (type: string) => [type, id, 'event@example.com']
    assert.deepEqual(types?.sort(), [of('CREATE'), of('DELETE'), of('UPDATE')])
  })

  test('a user that is deleted is gone with tokens, roles and data', async () => {
    const id = await active('gone@example.com')
    const token = await signIn('gone@example.com')
    await ask('createUserData', { id, a: 'b' })
    assert.deepEqual(await ask('deleteUser', { id }), { status: 204 })
    await refused('getCurrentUser', { token }, 401, /not valid/)
    await refused('listUserData', { id }, 404, /no such user/)
    await refused('deleteUser', { id }, 404, /no such user/)
  })
})

describe('user: roles with parameters', () => {
  shareInstance()

  test('social logins are absent, and the error names the way to sign in', async () => {
    const source = `
      local made = User.createSocial{social_id = "x", client_id = "y"}
      return {made.status, made.error, User.getSocials().status}`
    const [status, error, other] = (await fixture.run('pump', source)) as [number, string, number]
    assert.deepEqual([status, other], [410, 410])
    assert.match(error, /User\.createSocial: .*social logins.* use createUser and getUserToken/)
  })

  test('hasUserRoleParam answers OK, and else a 404', async () => {
    const id = await active('role@example.com')
    const source = `
      local id = event
      User.createRole{role_id = "owner", parameter = {{name = "sn"}, {name = "site"}}}
      User.assignUser{id = id, roles = {{role_id = "owner", parameters = {
        {name = "sn", value = "001"}, {name = "site", value = 1}}}}}
      local function has(name, value)
        return User.hasUserRoleParam{id = id, role_id = "owner", parameter_name = name,
          parameter_value = value}
      end
      return {has("sn", "001"), has("site", 1), has("sn", "002").status,
        User.listUserRoles{id = id}, User.listRoleParamUsers{role_id = "owner",
        parameter_name = "sn", parameter_value = "001"}[1] == id}`
    const parameters = [
      { name: 'site', value: '1' },
      { name: 'sn', value: '001' },
    ]
    const roles = [{ role_id: 'owner', parameters }]
    assert.deepEqual(await run(source, id), ['OK', 'OK', 404, roles, true])
  })

  test('roles are listed, changed and deleted, and values taken away', async () => {
    const id = await active('roles@example.com')
    await ask('createRole', { role_id: 'guest' })
    await refused('createRole', { role_id: 'guest' }, 409, /role already/)
    await ask('addRoleParam', { role_id: 'guest', body: [{ name: 'lock' }] })
    const guest = { role_id: 'guest', parameter: [{ name: 'lock' }] }
    assert.deepEqual(await ask('getRole', { role_id: 'guest' }), guest)
    const all = (await ask('listRoles')) as unknown as Table[]
    assert.ok(all.some(({ role_id: role }) => role === 'guest'))
    const values = ['1', '2', '3'].map((value) => ({ name: 'lock', value }))
    await ask('assignUser', { id, roles: [{ role_id: 'guest', parameters: values }] })
    const one = { id, role_id: 'guest', parameter_name: 'lock' }
    await ask('deassignUserParam', { ...one, parameter_value: '2' })
    assert.deepEqual(await ask('listUserRoleParamValues', one), ['1', '3'])
    const first = { role_id: 'guest', parameter_name: 'lock', parameter_value: '1' }
    await ask('deleteRoleParamValue', first)
    assert.deepEqual(await ask('listUserRoleParamValues', one), ['3'])
    await ask('deassignUserParamName', one)
    await refused('deassignUserParamName', one, 404, /no user has this/)
    assert.deepEqual(await ask('listRoleUsers', { role_id: 'guest' }), [id])
    await ask('deassignUser', { id, role_id: 'guest' })
    assert.deepEqual(await run('return #User.listUserRoles{id = event}', id), 0)
    await ask('deleteRoleParam', { role_id: 'guest', parameter_name: 'lock' })
    assert.deepEqual(await ask('deleteRole', { role_id: 'guest' }), { status: 204 })
    await refused('getRole', { role_id: 'guest' }, 404, /no such role/)
  })

  test('roles: bad arguments', async () => {
    await ask('createRole', { role_id: 'strict', parameter: [{ name: 'a' }] })
    const id = await active('bad@example.com')
    const assign = (roles: ScriptValue) => ({ id, roles })
    const unknown = assign([{ role_id: 'none' }])
    await refused('assignUser', unknown, 404, /no such role/)
    const other = assign([{ role_id: 'strict', parameters: [{ name: 'b', value: '1' }] }])
    await refused('assignUser', other, 400, /no parameter b/)
    await refused('assignUser', { ...unknown, id: 99_999 }, 404, /no such user/)
    await refused('createRole', { role_id: "x'; drop table" }, 400, /role_id/)
    await refused('createRole', {}, 400, /role_id must be given/)
    await refused('createRole', { role_id: 'r', parameter: [{ name: '' }] }, 400, /name/)
    const nul = assign([{ role_id: 'strict', parameters: [{ name: 'a', value: 'a\0' }] }])
    await refused('assignUser', nul, 400, /value/)
    assert.deepEqual(await run('return #User.listUserRoles{id = event}', id), 0)
  })
})

describe('user: data, lists and hostile input', () => {
  shareInstance()

  test('data of a user: texts by key', async () => {
    const id = await active('data@example.com')
    await ask('createUserData', { id, color: 'red', size: 5 })
    await refused('createUserData', { id, color: 'blue' }, 400, /has color already/)
    await ask('updateUserData', { id, color: 'blue', more: true })
    const all = { color: 'blue', more: 'true', size: '5' }
    assert.deepEqual(await ask('listUserData', { id }), all)
    assert.deepEqual(await ask('getUserData', { id, key: 'size' }), { size: '5' })
    await ask('deleteUserData', { id, keys: ['color', 'never'] })
    assert.deepEqual(await ask('listUserData', { id }), { more: 'true', size: '5' })
    await ask('deleteUserData', { id, keys: 'more' })
    await refused('getUserData', { id, key: 'more' }, 404, /no such data/)
    await refused('createUserData', { id }, 400, /key with a value/)
    await refused('createUserData', { id, a: { b: 1 } }, 400, /a must be a text/)
    await refused('updateUserData', { id, 'a b': '1' }, 400, /cannot be a key/)
    const large = 'x'.repeat(solutionUserLimits.userDataBytesMax)
    await refused('updateUserData', { id, large }, 413, /bytes of data/)
  })

  test('listUsers: filters, limit and offset', async () => {
    for (const at of [1, 2, 3]) await signUp(`list-${at}@example.com`)
    const emails = async (args: Table) => {
      const { items } = (await ask('listUsers', args)) as unknown as { items: Table[] }
      return items.map(({ email }) => email)
    }
    const like = { filter: 'email::like::LIST-' }
    const all = [1, 2, 3].map((at) => `list-${at}@example.com`)
    assert.deepEqual(await emails(like), all)
    assert.deepEqual(await emails({ ...like, limit: '2' }), all.slice(0, 2))
    assert.deepEqual(await emails({ ...like, limit: 1, offset: 2 }), all.slice(2))
    assert.deepEqual(await emails({ filter: ['email::like::list-', 'status::eq::1'] }), [])
    assert.deepEqual(await emails({ filter: 'email::like::%' }), [])
    assert.deepEqual(await emails({ filter: 'email::like::list_1' }), [])
    assert.equal((await ask('listUsers', like)).total, 3)
    for (const filter of ['email', 'password_hash::like::a', "email::eq'::x", 'id::gt::1']) {
      await refused('listUsers', { filter }, 400, /filter must be/)
    }
    await refused('listUsers', { limit: 0 }, 400, /limit/)
  })

  test('bad arguments are refused by name', async () => {
    const email = 'ok@example.com'
    await refused('createUser', { email, password: 'short' }, 400, /password must have/)
    await refused('createUser', { email, password: 'x'.repeat(5_000) }, 400, /password must have/)
    const long = `${'a'.repeat(300)}@b.c`
    for (const bad of ['', 'a', 'a@', 'a b@c.de', 'a@b\r\nc', 'a\0@b.de', long]) {
      await refused('createUser', { email: bad, password }, 400, /email must be/)
    }
    await refused('createUser', { password }, 400, /email must be given/)
    await refused('createUser', { email, password, name: 'a\nb' }, 400, /name/)
    await refused('getUser', { id: 'abc' }, 400, /id must be/)
    await refused('getUser', { id: -1 }, 400, /id must be/)
    await refused('getUserToken', { email, password, time_to_live: 0 }, 400, /time_to_live/)
    await refused('getCurrentUser', {}, 400, /token must be given/)
    await refused('getCurrentUser', { token: 'a\0' }, 401, /not valid/)
  })

  test('another solution has other users, also of the same business', async () => {
    const id = await active('mine@example.com')
    const token = await signIn('mine@example.com')
    await fixture.solution('elsewhere')
    const source = `
      local user = User.getCurrentUser{token = event.token}
      return {user.status, User.getUser{id = event.id}.status, User.listUsers().total}`
    assert.deepEqual(await fixture.run('elsewhere', source, { token, id }), [401, 404, 0])
  })
})
