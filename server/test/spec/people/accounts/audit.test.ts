import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { root } from '../../../fixtures/processes/page.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

type Json = Record<string, unknown>
type Entry = { readonly action: string; readonly outcome: string } & Json

const withoutCaller = [
  ...['acceptInvitation', 'beginDemandedTotp', 'createFirstAccount', 'requestPasswordReset'],
  ...['resetPassword', 'signIn', 'takeOidcSession'],
]

describe('the audit log', () => {
  const context = suiteContext()
  let instance: OwnPlatform
  let viewer = ''

  before(async () => {
    instance = await testPlatform(context, { own: 'moves the clock' })
    const { accounts } = instance.platform
    const made = await accounts.createToken(instance.businessId, { name: 'v', role: 'Viewer' })
    viewer = `Automation ${made.token}`
  })

  const ask = (method: string, path: string, as = instance.basic, body?: Json, headers = {}) =>
    askJson(`${instance.httpUrl}${path}`, { method, as, body, headers })

  const audit = async (query = '') => {
    const { status, json } = await ask('GET', `/api:1/audit?${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return json.entries as Entry[]
  }

  it('has who did what from where: by the console, a command, a program, GraphQL', async () => {
    const role = { name: 'Planner', permissions: ['View Asset'] }
    await ask('POST', '/api:1/roles', instance.basic, role, { 'millrace-program': 'console' })
    await ask('DELETE', '/api:1/roles/Planner', instance.basic, undefined, {
      'millrace-program': 'cli',
    })
    const query = 'mutation { createGroup(input: { name: "Hall" }) { id } }'
    await ask('POST', '/api/graphql', `Automation ${instance.token}`, { query })
    const [group, removal, creation] = await audit('outcome=done')
    const name = instance.account.email
    assert.deepEqual(
      [creation?.action, creation?.source, creation?.name, creation?.target],
      [...['createRole', 'console', name, 'Planner']],
    )
    assert.deepEqual(
      [removal?.action, removal?.source, removal?.target],
      [...['deleteRole', 'cli', 'Planner']],
    )
    assert.deepEqual(
      [group?.action, group?.source, group?.name, group?.target],
      [...['createGroup', 'graphql', 'test', 'Hall']],
    )
    for (const entry of [group, removal, creation]) assert.equal(entry?.address, '127.0.0.1')
  })

  it('has what was refused, too', async () => {
    const path = `/api:1/connectors/${instance.connector.id}`
    assert.equal((await ask('DELETE', path, viewer)).status, 403)
    const query = 'mutation { deleteAsset(id: "a1") { id } }'
    await ask('POST', '/api/graphql', viewer, { query })
    const [asset, connector] = await audit('outcome=forbidden&subject=v')
    assert.deepEqual(
      [connector?.action, connector?.target],
      [...['deleteConnector', instance.connector.id]],
    )
    assert.deepEqual([asset?.action, asset?.target], ['deleteAsset', 'a1'])
  })

  it('is filtered, and read page by page', async () => {
    for (const name of ['a', 'b', 'c']) {
      await ask('POST', '/api:1/groups', instance.basic, { name })
    }
    const all = await audit('action=createGroup&source=management')
    assert.equal(all.length, 3)
    const first = await audit('action=createGroup&source=management&limit=2')
    const before = `before=${first.at(-1)?.id}`
    const rest = await audit(`action=createGroup&source=management&limit=2&${before}`)
    assert.deepEqual([...first, ...rest], all)
    const at = Number(all[1]?.at)
    assert.ok((await audit(`from=${at}`)).every((entry) => Number(entry.at) >= at))
    assert.ok((await audit(`to=${at}`)).every((entry) => Number(entry.at) < at))
    assert.equal((await ask('GET', '/api:1/audit?from=x')).status, 400)
    await ask('DELETE', '/api:1/roles/Shift%20Leader')
    const [found, ...others] = await audit('text=ift%20l')
    assert.deepEqual([found?.target, others], ['Shift Leader', []])
    assert.deepEqual(await audit('text=100%25'), [])
    const query = '{ auditLog(filter: { action: "createGroup", source: "management" }) { id } }'
    const { json } = await ask('POST', '/api/graphql', instance.basic, { query })
    assert.equal((json.data as { auditLog: Json[] }).auditLog.length, 3)
  })

  it('is kept for so many days', async () => {
    assert.ok((await audit()).length > 0)
    const { clock, platform } = instance
    clock.step(limits.auditDays * 86_400_000 + 60_000)
    await platform.accounts.sweep()
    assert.deepEqual(await audit(), [])
  })
})

describe('the routes in the audit log', () => {
  it('covers each route that changes something and knows its caller', () => {
    const file = join(root, 'docs', 'reference', 'openapi.json')
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Json> }
    const routes = Object.values(paths).flatMap((methods) => Object.entries(methods))
    const open = routes
      .filter(([method]) => method !== 'get')
      .map(([, details]) => details as { operationId: string; security: unknown[] })
      .filter(({ security }) => security.length === 0)
      .map(({ operationId }) => operationId)
    assert.deepEqual(open.sort(), withoutCaller)
  })
})
