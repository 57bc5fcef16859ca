import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { wholeView } from '../../../src/groups/index.ts'
import { setStatus } from '../../fixtures/assets.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import type { Answer } from '../../fixtures/wire/graphql.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

const marker = 'SECRET-OF-THEIRS'
const rateLimits = { requests: 100_000, timeMs: 10_000_000 }

/**
 * A business with a group that has one of everything, each with a mark in its words; a token of all
 * of the business, one of a Viewer, one of another group, and one of another business.
 */
export async function openWorld(context: Parameters<typeof testPlatform>[0]) {
  const instance = await testPlatform(context)
  const { platform, businessId, connector } = instance
  const { accounts, groups, database } = platform
  const all = wholeView(businessId)
  const theirs = await groups.create(all, { name: marker, description: marker })
  const mine = await groups.create(all, { name: 'mine' })
  const other = await accounts.createBusiness({ name: 'Other' })
  const tokenOf = async (business: string, role: string, of?: string) => {
    const wanted = { name: 'walk', role, rateLimits, ...(of !== undefined && { groups: [of] }) }
    return `Automation ${(await accounts.createToken(business, wanted)).token}`
  }
  const tokens = {
    whole: await tokenOf(businessId, 'Administrator'),
    viewer: await tokenOf(businessId, 'Viewer'),
    subtree: await tokenOf(businessId, 'Administrator', mine.id),
    other: await tokenOf(other.id, 'Administrator'),
  }
  const made = await fill(instance, theirs.id)
  const paths = { connector: connector.id, identity: 'theirs-1', asset: made.asset }
  return {
    marker,
    tokens,
    paths,
    businessId,
    httpUrl: instance.httpUrl,
    ids: [theirs.id, connector.id, ...Object.values(made)],
    async ask(as: string, query: string, variables?: object): Promise<Answer> {
      const response = await fetch(`${instance.httpUrl}/api/graphql`, {
        method: 'POST',
        headers: { authorization: as, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return (await response.json()) as Answer
    },
    /** All that belongs to the group, as one text. */
    async state(): Promise<string> {
      const rows = await Promise.all(
        stateTexts.map((text) => database.rows<object>(text, [theirs.id])),
      )
      assert.ok(
        rows.every(({ length }) => length > 0),
        'one of everything is there',
      )
      return JSON.stringify(rows)
    },
  }
}

const ofAssets = '(select id from assets_asset where group_id = $1)'
const stateTexts = [
  'select name, description, custom_id, parent_id from groups_group where id = $1',
  'select name, description, meta, locked, connector_id from assets_asset where group_id = $1',
  `select name, description, tags, alias from assets_signal where asset_id in ${ofAssets}`,
  `select level, state_at, comments from (
    select level, coalesce(acknowledged_at, 0) + coalesce(cleared_at, 0) as state_at,
      (select count(*) from assets_condition_comment m where m.condition_id = c.id) as comments
    from assets_condition c where asset_id in ${ofAssets}) as c`,
  `select id, constants, enabled from pipelines_link where asset_id in ${ofAssets}`,
  `select identity, locked, name, description, tags, activate_until, reprovision
    from provisioning_identity where group_id = $1`,
  `select v.set_value from provisioning_value v join provisioning_identity i
    on i.connector_id = v.connector_id and i.identity = v.identity where i.group_id = $1`,
  'select priority, instruction_id, translations::text from policies_policy where group_id = $1',
  'select name, version from policies_instruction where group_id = $1',
  'select email, name, role, groups::text from accounts_user where $1 = any(groups)',
  'select name, role, groups::text from accounts_token where $1 = any(groups)',
]

type Filled = Pick<
  Awaited<ReturnType<typeof testPlatform>>,
  'platform' | 'businessId' | 'connector'
>

/** One of everything in the group. @returns their ids. */
export async function fill(instance: Filled, groupId: string, email = 'theirs@example.com') {
  const { platform, businessId, connector } = instance
  const { accounts, assets, provisioning, pipelines, policies, database, clock } = platform
  const all = wholeView(businessId)
  const name = { connectorId: connector.id, identity: 'theirs-1' }
  const tags = [{ name: 'floor', value: marker }]
  await provisioning.identities.whitelist(businessId, connector.id, name.identity, { tags })
  await provisioning.devices.update(all, name, { groupId, name: marker, description: marker })
  const [alias] = [...connector.resources.values()].filter((one) => one.settable)
  assert(alias)
  await provisioning.setState(businessId, connector.id, name.identity, { [alias.alias]: '1' })
  const signals = [{ name: marker, primitiveType: 'NUMERIC' as const }]
  const asset = await assets.create(all, { name: marker, groupId, device: name, signals })
  const [signal] = await assets.signals.ofAssets(all, [asset.id])
  assert(signal)
  const rule = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 60 } }
  const inlets = [{ signalId: signal.id }]
  const linked = { ...rule, assetId: asset.id, name: marker, inlets }
  const link = await pipelines.links.create(all, linked, 'user:walk')
  const ts = clock.nowUs()
  await assets.ensurePartitions(ts)
  await database.transaction(async (held) => {
    await assets.writeValues(held, [{ key: signal.key, ts, value: 1 }])
    await setStatus(assets, held, businessId, asset.id, link.id, { ts, level: 3, value: marker })
    await assets.log(held, businessId, asset.id, { severity: 'info', text: marker })
  })
  const { results } = await assets.conditions.query(all, {})
  const condition = results[0]?.id ?? ''
  await assets.conditions.comment(all, condition, marker, 'user:walk')
  const instruction = await policies.instructions.create(all, { name: marker, groupId })
  const file = { filename: marker, bytes: Readable.from([Buffer.from(marker)]) }
  await policies.uploads.add(all, instruction.id, file)
  const translations = [{ language: 'en', name: marker, policy: marker }]
  const wanted = { groupId, translations, workInstructionId: instruction.id }
  const policy = await policies.create(all, wanted)
  const held = { role: 'Viewer', groups: [groupId] }
  const person = { email, password: 'a long phrase of words', name: marker }
  const user = await accounts.createUser(businessId, { ...person, ...held })
  const token = await accounts.createToken(businessId, { ...held, name: marker })
  return {
    asset: asset.id,
    signal: signal.id,
    link: link.id,
    condition,
    instruction: instruction.id,
    policy: policy.id,
    user: user.id,
    token: token.id,
    device: `${connector.id}.${name.identity}`,
    identity: name.identity,
  }
}
