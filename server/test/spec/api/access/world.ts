import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { Database } from '../../../../src/foundation/database/index.ts'
import type { ChangeTopic } from '../../../../src/log/changes/index.ts'
import type { Permission } from '../../../../src/people/accounts/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { exampleConnector, type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import type { Ids } from './requests.ts'
import { seed } from './seed.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

export const marker = 'SECRET-OF-THEIRS'
const rateLimits = { requests: 100_000, timeMs: 10_000_000 }
const password = 'a long phrase of words'

/**
 * A business with a group that has one of everything, each with a mark in its words, and with one
 * of everything that lies in no group; and callers of it, of another group and of another business.
 */
export async function openWorld(context: Parameters<typeof testPlatform>[0]) {
  const instance = await testPlatform(context, { own: 'compares all rows' })
  const { platform, businessId, connector, account } = instance
  const { accounts, groups } = platform
  const all = wholeView(businessId)
  const topics = new Set<ChangeTopic>()
  platform.changes.onChange(({ topic }) => topics.add(topic))
  const theirs = await groups.create(all, { name: marker, description: marker })
  const mine = await groups.create(all, { name: 'mine' })
  const [other, gone, deleted] = await Promise.all(
    ['Other', 'Gone', 'Deleted'].map((name) => accounts.createBusiness({ name })),
  )
  assert(other && gone && deleted)
  const made = await fill(instance, theirs.id)
  const own = await fillOwn(instance, mine.id, other.id)
  const makeToken = async (business: string, role: string, of?: string) => {
    const wanted = { name: 'walk', role, rateLimits, ...(of !== undefined && { groups: [of] }) }
    return `Automation ${(await accounts.createToken(business, wanted)).token}`
  }
  const signIn = async (email: string, phrase: string) =>
    `token ${(await accounts.signIn(email, phrase)).token}`
  /** Opens a session. @returns its id. */
  const findSession = async (email: string, phrase: string) => {
    const principal = await accounts.authorize(await signIn(email, phrase))
    return (await accounts.listSessions(principal))[0]?.id ?? ''
  }
  const ids = await seed(context, instance, {
    ...made,
    group: theirs.id,
    connector: connector.id,
    business: gone.id,
    'deleted business': deleted.id,
    'api-tokens/:token': made.token,
    'sessions/:session': await findSession(account.email, account.password),
    'session of the user': await findSession('theirs@example.com', password),
    password: account.password,
  })
  const [mail] = await platform.mail.list()
  return {
    ...instance,
    ids: { ...ids, mail: mail?.id ?? '', mark: marker } as Ids,
    /** The callers' own things. */
    own,
    /** Texts that nobody else has. */
    texts: [marker, ...Object.values(ids).filter((text) => /^[0-9a-z-]{16,}$/i.test(text))],
    tokens: {
      whole: await makeToken(businessId, 'Administrator'),
      session: await signIn(account.email, account.password),
      operator: instance.operator,
      viewer: await makeToken(businessId, 'Viewer'),
      subtree: await makeToken(businessId, 'Administrator', mine.id),
      other: await makeToken(other.id, 'Administrator'),
    },
    /** Signs in as the administrator. */
    signIn: () => signIn(account.email, account.password),
    /** A token whose role has these permissions alone. */
    async tokenWith(permissions: readonly Permission[]): Promise<string> {
      const name = permissions.join(', ')
      await accounts.createRole(businessId, { name, permissions })
      return makeToken(businessId, name)
    },
    rows: () => readRows(platform.database),
    /** The topics that were published since this was called before. */
    takeTopics(): ReadonlySet<ChangeTopic> {
      const taken = new Set(topics)
      topics.clear()
      return taken
    },
  }
}

/** Makes one of everything that a caller of a group sees, and one of another business. */
async function fillOwn(instance: TestPlatform, groupId: string, otherId: string) {
  const { platform, connector } = instance
  const marked = { mark: 'own', identity: 'own-1' }
  const made = await fill(instance, groupId, { ...marked, email: 'mine@example.com' })
  const theirs = await platform.provisioning.connectors.create(otherId, exampleConnector)
  const group = await platform.groups.create(wholeView(otherId), { name: 'own' })
  const inOther = { platform, businessId: otherId, connector: theirs }
  const ofOther = await fill(inOther, group.id, { ...marked, email: 'other@example.com' })
  const names = { 'api-tokens/:token': made.token, group: groupId, connector: connector.id }
  const subtree: Ids = { ...made, ...names }
  const other: Ids = { ...ofOther, group: group.id, connector: theirs.id }
  return { subtree, other }
}

/** Tables that change by themselves, or at each request. */
const changing = new RegExp(
  '^(accounts_(audit|session|token|quota)|activity_|database_|eventlog_|jobs_|upkeep_' +
    '|pipelines_functions)',
)

async function readRows(database: Database): Promise<readonly string[]> {
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    if (changing.test(name)) continue
    const rows = await database.rows<{ row: string }>(`select t::text as row from ${name} t`)
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}

type Filled = Pick<
  Awaited<ReturnType<typeof testPlatform>>,
  'platform' | 'businessId' | 'connector'
>

/**
 * Makes one of everything in the group.
 * @returns their ids.
 */
export async function fill(
  instance: Filled,
  groupId: string,
  { mark = marker, email = 'theirs@example.com', identity = 'theirs-1' } = {},
) {
  const { platform, businessId, connector } = instance
  const { accounts, assets, provisioning, pipelines, policies, database, clock } = platform
  const all = wholeView(businessId)
  const name = { connectorId: connector.id, identity }
  const tags = [{ name: 'floor', value: mark }]
  await provisioning.identities.whitelist(businessId, connector.id, name.identity, { tags })
  await provisioning.devices.update(all, name, { groupId, name: mark, description: mark })
  const [alias] = [...connector.resources.values()].filter((one) => one.settable)
  assert(alias)
  await provisioning.setState(businessId, connector.id, name.identity, { [alias.alias]: '1' })
  const source = { alias: 'data_in', channel: '1' }
  const signals = [{ name: mark, primitiveType: 'NUMERIC' as const, source }]
  const asset = await assets.create(all, { name: mark, groupId, device: name, signals })
  const [signal] = await assets.signals.ofAssets(all, [asset.id])
  assert(signal)
  const rule = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 60 } }
  const inlets = [{ signalId: signal.id }]
  const linked = { ...rule, assetId: asset.id, name: mark, inlets }
  const link = await pipelines.links.create(all, linked, 'user:walk')
  const ts = clock.nowUs()
  await assets.ensurePartitions(ts)
  await database.transaction(async (held) => {
    await assets.writeValues(held, [{ key: signal.key, ts, value: 1 }])
    await setStatus(assets, held, businessId, asset.id, link.id, { ts, level: 3, value: mark })
    await assets.log(held, businessId, asset.id, { severity: 'info', text: mark })
  })
  const { results } = await assets.conditions.query(all, { filters: [{ assetId: asset.id }] })
  const condition = results[0]?.id ?? ''
  await assets.conditions.comment(all, condition, mark, 'user:walk')
  const instruction = await policies.instructions.create(all, { name: mark, groupId })
  const file = { filename: mark, bytes: Readable.from([Buffer.from(mark)]) }
  await policies.uploads.add(all, instruction.id, file)
  const translations = [{ language: 'en', name: mark, policy: mark }]
  const wanted = { groupId, translations, workInstructionId: instruction.id }
  const policy = await policies.create(all, wanted)
  const held = { role: 'Viewer', groups: [groupId] }
  const person = { email, password, name: mark }
  const user = await accounts.createUser(businessId, { ...person, ...held })
  const token = await accounts.createToken(businessId, { ...held, name: mark })
  return {
    asset: asset.id,
    signal: signal.id,
    link: link.id,
    condition,
    instruction: instruction.id,
    policy: policy.id,
    user: user.id,
    token: token.id,
    device: `${connector.id}.${identity}`,
    identity,
  }
}
