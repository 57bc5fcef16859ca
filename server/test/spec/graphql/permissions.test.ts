import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { type Permission, permissions } from '../../../src/accounts/index.ts'
import { type GraphqlOptions, readSchema } from '../../../src/graphql/index.ts'
import { wholeView } from '../../../src/groups/index.ts'
import { setStatus } from '../../fixtures/assets.ts'
import { ask, codes, type GraphqlFixture, graphqlFixture } from '../../fixtures/wire/graphql.ts'

const device = '{ connectorId: "x", identity: "y" }'

/** A document, and the permission without which it is refused. */
const table: readonly (readonly [string, Permission])[] = [
  ['{ assets { id } }', 'View Asset'],
  ['{ asset(id: "x") { id } }', 'View Asset'],
  ['{ assetCount }', 'View Asset'],
  ['{ signals(ids: ["x"]) { id } }', 'View Asset'],
  ['{ dataTypes { id } }', 'View Asset'],
  ['{ groups { id } }', 'View Asset'],
  ['{ assets { signals { lastValue { value } } } }', 'View Asset Data'],
  ['{ assets { signals { data { value } } } }', 'View Asset Data'],
  ['{ assets { signals { channel { data { value } } } } }', 'View Asset Data'],
  ['{ assets { rulez { data { level } } } }', 'View Asset Data'],
  ['{ assetStatuses(ids: ["x"]) { id } }', 'View Asset Data'],
  ['{ assets { events { ts } } }', 'View Asset Data'],
  ['{ assets { log { text } } }', 'View Asset Data'],
  ['{ connectors { id } }', 'Setup'],
  ['{ internalInsightModules { id } }', 'Asset Management'],
  ['{ internalInsightModule(id: "x") { id } }', 'Asset Management'],
  ['{ modules { id } }', 'Asset Management'],
  ['{ functions(moduleId: "builtin") { id } }', 'Asset Management'],
  ['{ functionList(moduleId: "builtin") { readAt } }', 'Asset Management'],
  ['{ function(moduleId: "builtin", functionId: "threshold") { id } }', 'Asset Management'],
  ['mutation { createAsset(input: { name: "x" }) { id } }', 'Asset Management'],
  ['mutation { createAssets(inputs: [{ name: "x" }]) { asset { id } } }', 'Asset Management'],
  ['mutation { updateAsset(id: "x", input: { name: "y" }) { id } }', 'Asset Management'],
  ['mutation { deleteAsset(id: "x") { id } }', 'Asset Management'],
  [
    'mutation { createSignal(assetId: "x", input: { name: "x", primitiveType: JSON }) { id } }',
    'Asset Management',
  ],
  [
    `mutation { linkFunction(input: { assetId: "x", moduleId: "builtin", functionId: "threshold",
      inlets: [] }) { id } }`,
    'Asset Management',
  ],
  ['mutation { unlinkFunction(id: "x") { id } }', 'Asset Management'],
  ['mutation { updateLink(id: "x", input: {}) { id } }', 'Asset Management'],
  ['mutation { deleteSignal(id: "x") { id } }', 'Asset Management'],
  ['mutation { updateSignal(id: "x", input: {}) { id } }', 'Asset Management'],
  ['mutation { setSignalRetention(id: "x") { id } }', 'Asset Management'],
  ['mutation { setConnectorRetention(id: "x") { id } }', 'Setup'],
  ['mutation { moveSignal(id: "x", assetId: "y") { id } }', 'Asset Management'],
  ['mutation { writeSignalValues(values: []) { signalId } }', 'Asset Management'],
  [
    `mutation { setDeviceResources(device: { connectorId: "x", identity: "y" }, values: {}) {
      identity } }`,
    'Setup',
  ],
  ['{ templates { id } }', 'View Asset'],
  ['{ templateVersions(id: "x") { version } }', 'View Asset'],
  ['{ templateVersion(id: "x", version: 1) { version } }', 'View Asset'],
  ['{ reports { job_id } }', 'View Asset Data'],
  ['{ reportStatus(job_id: "x") { state } }', 'View Asset Data'],
  ['{ report(job_id: "x") }', 'View Asset Data'],
  [
    `mutation { createReport(report_info: { start_timestamp: 1, end_timestamp: 2, signals: [],
      assetNames: [] }) }`,
    'View Asset Data',
  ],
  ['mutation { deleteReport(job_id: "x") { state } }', 'View Asset Data'],
  ['{ template(id: "x") { id } }', 'View Asset'],
  ['mutation { createTemplate(input: { name: "x" }) { id } }', 'Asset Management'],
  ['mutation { updateTemplate(id: "x", input: {}) { id } }', 'Asset Management'],
  ['mutation { restoreTemplate(id: "x", version: 1) { id } }', 'Asset Management'],
  ['mutation { deleteTemplate(id: "x") { id } }', 'Asset Management'],
  ['mutation { savePipeline(assetId: "x", input: { links: [] }) { version } }', 'Asset Management'],
  ['mutation { restorePipeline(assetId: "x", version: 1) { version } }', 'Asset Management'],
  ['{ pipelineVersions(assetId: "x") { version } }', 'Asset Management'],
  ['{ pipelineVersion(assetId: "x", version: 1) { version } }', 'Asset Management'],
  [
    `{ fittingSignals(assetId: "x", moduleId: "builtin", functionId: "threshold", inlet: 0) {
      id } }`,
    'Asset Management',
  ],
  ['{ conditionQuery { total } }', 'View Asset Data'],
  ['{ conditionComments(condition_id: "x") { id } }', 'View Asset Data'],
  ['{ conditionQuery { results { asset { id } } } }', 'View Asset'],
  ['mutation { commentCondition(id: "x", comment: "y") { id } }', 'Asset Management'],
  ['mutation { acknowledgeCondition(id: "x") { id } }', 'Asset Management'],
  ['mutation { clearCondition(id: "x") { id } }', 'Asset Management'],
  ['mutation { createGroup(input: { name: "x" }) { id } }', 'Group Management'],
  ['mutation { updateGroup(id: "x", input: { name: "y" }) { id } }', 'Group Management'],
  ['mutation { deleteGroup(id: "x") { id } }', 'Group Management'],
  ['{ devices { id } }', 'Setup'],
  ['{ products { pid } }', 'Setup'],
  ['{ groups { devices { id } } }', 'Setup'],
  ['{ groups { users { id } } }', 'User Management'],
  ['{ groups { roles { name } } }', 'User Management'],
  [`mutation { claimDevice(device: ${device}, groupId: "x") { id } }`, 'Setup'],
  [`mutation { claimEachDevice(devices: [${device}], groupId: "x") { error { code } } }`, 'Setup'],
  [`mutation { claimDevices(devices: [${device}], groupId: "x") { id } }`, 'Setup'],
  [`mutation { updateDevice(device: ${device}, input: {}) { id } }`, 'Setup'],
  ['{ policies { id } }', 'View Asset'],
  ['{ workInstructions { id } }', 'View Asset'],
  ['{ conditionQuery { results { policy { id } } } }', 'View Asset'],
  ['{ logs { id } }', 'View Asset Data'],
  ['mutation { createPolicy(input: {}) { id } }', 'Asset Management'],
  ['mutation { updatePolicy(id: "x", input: {}) { id } }', 'Asset Management'],
  ['mutation { deletePolicy(id: "x") { id } }', 'Asset Management'],
  ['mutation { createWorkInstruction(input: { name: "x" }) { id } }', 'Asset Management'],
  ['mutation { updateWorkInstruction(id: "x", input: {}) { id } }', 'Asset Management'],
  [
    'mutation { addWorkInstructionVersion(id: "x", file: { filename: "x", data: "" }) { id } }',
    'Asset Management',
  ],
  ['mutation { deleteWorkInstruction(id: "x") { id } }', 'Asset Management'],
  ['{ currentUser { id } }', 'View Asset'],
  ['{ users { id } }', 'User Management'],
  ['{ user(id: "x") { id } }', 'User Management'],
  ['{ roles { name } }', 'User Management'],
  ['{ tokens { id } }', 'Setup'],
  ['{ invitations { id } }', 'User Management'],
  ['{ auditLog { id } }', 'User Management'],
  ['mutation { updateUser(id: "x", input: {}) { id } }', 'User Management'],
  ['mutation { deleteUser(id: "x") }', 'User Management'],
  ['mutation { createRole(input: { name: "x", permissions: [] }) { name } }', 'User Management'],
  ['mutation { updateRole(input: { name: "x", permissions: [] }) { name } }', 'User Management'],
  ['mutation { setRoleRateLimits(name: "x", rateLimits: {}) { name } }', 'User Management'],
  ['mutation { deleteRole(name: "x") }', 'User Management'],
  ['mutation { createToken(input: { name: "x", role: "x" }) { id } }', 'Setup'],
  ['mutation { revokeToken(id: "x") }', 'Setup'],
  ['mutation { inviteUser(input: { email: "x", role: "x" }) { id } }', 'User Management'],
  ['mutation { resendInvitation(id: "x") { id } }', 'User Management'],
  ['mutation { revokeInvitation(id: "x") }', 'User Management'],
]

/** The same for subscriptions, which are refused when they are begun. */
const subscriptions: readonly (readonly [string, Permission])[] = [
  ['values(signalIds: ["x"]) { value }', 'View Asset Data'],
  ['statuses(assetIds: ["x"]) { assetId }', 'View Asset Data'],
  ['events(assetIds: ["x"]) { id }', 'View Asset Data'],
  ['logLines(assetId: "x") { text }', 'View Asset Data'],
  ['devices(connectorId: "x", identities: ["y"]) { identity }', 'Setup'],
]

test('each subscription is refused without its permission, before anything is read', async (t) => {
  const fixture = await graphqlFixture(t)
  const { accounts, business, database } = fixture
  for (const [field, permission] of subscriptions) {
    const others = permissions.filter((one) => one !== permission)
    await database.run(
      `insert into accounts_role (business_id, name, permissions) values ($1, $2, $3)`,
      [business, field, others],
    )
    const { token } = await accounts.createToken(business, { name: 'x', role: field })
    const answer = await fetch(fixture.url, {
      method: 'POST',
      headers: {
        authorization: `Automation ${token}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: `subscription { ${field} }` }),
    })
    assert.match(await answer.text(), /"forbidden".*complete/s)
  }
})

test('each field with a permission is in the table, with that permission', () => {
  const fields = [...readSchema().matchAll(/@permission\(requires: "([^"]+)"\)/g)]
  const names = fields.map(([, permission]) => permission)
  const all = [...table, ...subscriptions].map(([, permission]) => permission)
  assert.deepEqual(names.sort(), all.sort())
})

/** A user of each role, and one asset with a signal. */
async function usersOf({ accounts, assets, business, emailOf }: GraphqlFixture) {
  await assets.create(wholeView(business), {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC', source: { alias: 's' } }],
  })
  const roles = await accounts.listRoles(business)
  const users = roles.map(async (role) => {
    const email = emailOf(role.name.toLowerCase())
    const password = 'correct horse battery staple'
    await accounts.createUser(business, { email, password, role: role.name })
    const { token } = await accounts.signIn(email, password)
    return { role, authorization: `token ${token}` }
  })
  return Promise.all(users)
}

test('a user of each role may ask what the role permits, and nothing else', async (t) => {
  const fixture = await graphqlFixture(t)
  const users = await usersOf(fixture)
  assert.equal(users.length, 3)
  for (const { role, authorization } of users) {
    for (const [query, permission] of table) {
      const answer = await ask(fixture, authorization, query)
      const refused = codes(answer)?.includes('forbidden') ?? false
      assert.equal(refused, !role.permissions.includes(permission), `${role.name}: ${query}`)
      if (!refused) continue
      assert.equal(answer.errors?.[0]?.message, `This needs the permission "${permission}".`)
    }
  }
})

test('no form of a document leads around a permission', async (t) => {
  const fixture = await graphqlFixture(t)
  const forms = [
    '{ other: connectors { id } }',
    '{ ...F } fragment F on Query { connectors { id } }',
    '{ ... on Query { connectors { id } } }',
    '{ ... @include(if: true) { connectors { id } } }',
    'query Q($with: Boolean = true) { connectors @include(if: $with) { id } }',
    '{ assetCount connectors { id } __schema { queryType { name } } }',
  ]
  for (const form of forms) {
    assert.equal((await ask(fixture, fixture.administrator, form)).errors, undefined, form)
    assert.deepEqual(codes(await ask(fixture, fixture.operator, form)), ['forbidden'], form)
  }
})

/** A rule on the only signal of an asset. */
async function linkRule({ assets, pipelines, business }: GraphqlFixture, assetId: string) {
  const view = wholeView(business)
  const [signal] = await assets.signals.ofAssets(view, [assetId])
  const rule = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 1 } }
  const inlets = [{ signalId: signal?.id }]
  await pipelines.links.create(view, { assetId, ...rule, inlets })
}

test('each field is refused without its permission, and names it', async (t) => {
  let missing: Permission | undefined
  const change = (options: GraphqlOptions): GraphqlOptions => ({
    ...options,
    accounts: {
      ...options.accounts,
      async authorize(header) {
        const principal = await options.accounts.authorize(header)
        const left = permissions.filter((permission) => permission !== missing)
        return { ...principal, permissions: new Set(left) }
      },
    },
  })
  const fixture = await graphqlFixture(t, { change })
  const { id } = await fixture.assets.create(wholeView(fixture.business), {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC', source: { alias: 's' } }],
  })
  await fixture.database.transaction((held) =>
    setStatus(fixture.assets, held, fixture.business, id, 'rule', { ts: 1, level: 2 }),
  )
  await linkRule(fixture, id)
  for (const [query, permission] of table) {
    missing = permission
    const refused = await ask(fixture, fixture.administrator, query)
    assert.deepEqual([...new Set(codes(refused))], ['forbidden'], query)
    assert.equal(refused.errors?.[0]?.message, `This needs the permission "${permission}".`)
    missing = undefined
    const allowed = codes(await ask(fixture, fixture.administrator, query)) ?? []
    assert(!allowed.includes('forbidden'), query)
  }
})

test('an asset is shown without the values that the token may not read', async (t) => {
  const change = (options: GraphqlOptions): GraphqlOptions => ({
    ...options,
    accounts: {
      ...options.accounts,
      authorize: async (header) => ({
        ...(await options.accounts.authorize(header)),
        permissions: new Set<Permission>(['View Asset']),
      }),
    },
  })
  const fixture = await graphqlFixture(t, { change })
  await fixture.assets.create(wholeView(fixture.business), {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC' }],
  })
  const answer = await ask(
    fixture,
    fixture.viewer,
    '{ assets { name signals { lastValue { value } } } }',
  )
  assert.deepEqual(answer.data, { assets: [{ name: 'Pump', signals: [{ lastValue: null }] }] })
  assert.deepEqual(answer.errors?.[0]?.path, ['assets', 0, 'signals', 0, 'lastValue'])
})
