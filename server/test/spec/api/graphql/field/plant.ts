import { strict as assert } from 'node:assert'
import { until } from '../../../../fixtures/interface.ts'
import { allRun } from '../../../../fixtures/pipelines.ts'
import { testPlatform, unique } from '../../../../fixtures/platform.ts'
import { newDevice, type TestDevice } from '../../../../fixtures/wire/device.ts'
import { type Answer, getData } from '../../../../fixtures/wire/graphql.ts'

export type Plant = Awaited<ReturnType<typeof openPlant>>

type Context = Parameters<typeof testPlatform>[0]
type Made = { readonly id: string }

/** Seconds since 1970 of the first value of the plant: far enough back for silences. */
const startS = Math.floor(Date.now() / 1_000) - 600

const settings = {
  name: 'Pumps',
  devmode: true,
  selfRegistration: true,
  resources: {
    data_in: { format: 'string' },
    config_io: { format: 'string', settable: true },
    speed: { format: 'number', settable: true },
  },
} as const

const channels = {
  '001': {
    display_name: 'Heat',
    description: 'At the bearing.',
    properties: {
      data_type: 'TEMPERATURE',
      primitive_type: 'NUMERIC',
      data_unit: 'DEG_CELSIUS',
      precision: 2,
      min: -10,
      max: 120,
      control: true,
    },
    protocol_config: { sample_rate: 500, report_rate: 1_000, timeout: 60_000 },
  },
  '002': { display_name: 'On', properties: { data_type: 'BOOLEAN', primitive_type: 'BOOLEAN' } },
  '003': {
    display_name: 'Flow',
    properties: { primitive_type: 'NUMERIC', data_type: 'SLUDGE', data_unit: 'BUCKETS' },
  },
}

/**
 * A business with one of each thing that clients in the field ask for, made through the public
 * interfaces alone: devices, groups, assets of every form, functions of each kind, values,
 * statuses, conditions with comments, policies, work instructions, people.
 */
export async function openPlant(context: Context) {
  const { httpUrl, basic, token, account, platform, connector } = await testPlatform(context, {
    connector: { ...settings, id: unique('pumps') },
  })
  const automation = `Automation ${token}`
  const ask = (query: string, variables: object = {}, operationName?: string, by = automation) =>
    post(`${httpUrl}/api/graphql`, by, { query, variables, operationName })
  const one = async <Value>(query: string, variables: object = {}, by = automation) => {
    const answer = await ask(query, variables, undefined, by)
    return Object.values(getData<Record<string, Value>>(answer))[0] as Value
  }
  const manage = (method: string, path: string, body?: object) =>
    call(`${httpUrl}/api:1/${path}`, basic, method, body)
  const world = {
    httpUrl,
    basic,
    ask,
    one,
    manage,
    startS,
    account,
    product: connector.id,
    settled: () => allRun(platform),
  }
  const groups = await makeGroups(world)
  const people = await makePeople(world, groups)
  const device = await makeDevices(world, groups)
  const assets = await makeAssets(world, groups)
  const links = await makeLinks(world, assets)
  await writeValues(world, device, assets)
  const judged = await judge(world, groups, assets)
  return { ...world, channels, groups, people, assets, links, judged }
}

type World = {
  readonly httpUrl: string
  readonly startS: number
  one<Value>(query: string, variables?: object, by?: string): Promise<Value>
  manage(method: string, path: string, body?: object): Promise<Record<string, unknown>>
  settled(): Promise<void>
  readonly basic: string
  readonly product: string
}

async function makeGroups({ one }: World) {
  const create = 'mutation($input: CreateGroupInput!) { createGroup(input: $input) { id } }'
  const hall = { name: 'Hall', description: 'The root of it all.', customId: 'H1' }
  const { id } = await one<Made>(create, { input: { ...hall, nodeTypeId: 'site' } })
  const line = await one<Made>(create, { input: { name: 'Line', parentId: id } })
  const [root = assert.fail()] = await one<Made[]>('{ groups(filters: { text: "root" }) { id } }')
  return { root: root.id, hall: id, line: line.id }
}

async function makePeople({ manage, one, basic }: World, { hall }: { readonly hall: string }) {
  const email = `${unique('vera')}@example.com`
  const vera = { email, password: 'a long phrase of words', name: 'Vera' }
  const made = await manage('POST', 'users', { ...vera, role: 'Viewer', groups: [hall] })
  const owner = await one<Made>('{ currentUser { id } }', {}, basic)
  const asVera = `Basic ${Buffer.from(`${vera.email}:${vera.password}`).toString('base64')}`
  return { vera: String(made.id), email, owner: owner.id, asVera }
}

async function makeDevices(
  { httpUrl, manage, one, product }: World,
  { hall }: { readonly hall: string },
): Promise<TestDevice> {
  const identities = `service/${product}/device2/identity`
  const device = await newDevice(httpUrl, product, 'p-1')
  const state = { config_io: JSON.stringify({ channels }), speed: 3 }
  await manage('PATCH', `${identities}/p-1/state`, state)
  await manage('PUT', `${identities}/spare`, { locked: true })
  const tags = { add: [{ name: 'floor', value: '2' }] }
  await manage('PATCH', `${identities}/spare/tags`, tags)
  const update = `mutation($device: DeviceRefInput!, $input: UpdateDeviceInput!) {
    updateDevice(device: $device, input: $input) { id } }`
  const input = { name: 'Spare', description: 'In the box.', groupId: hall }
  await one(update, { device: { connectorId: product, identity: 'spare' }, input })
  return device
}

/**
 * Makes assets: of a device with channels; with a signal as its place, and locked; of a template.
 */
async function makeAssets(
  { one, product }: World,
  { hall, line }: Readonly<Record<string, string>>,
) {
  const create = `mutation($input: CreateAssetInput!) {
    createAsset(input: $input) { id signals { id name } } }`
  type Asset = Made & { readonly signals: readonly (Made & { readonly name: string })[] }
  const make = (input: object) => one<Asset>(create, { input })
  const pump = await make({
    name: 'Pump',
    description: 'Moves water.',
    groupId: hall,
    device: { connectorId: product, identity: 'p-1' },
    meta: { serial: 'S-1', years: [2025, 2026] },
    assetType: 'pump',
    location: { latitude: 48.1, longitude: 11.5 },
    channelsOfDevice: true,
  })
  const signals = [
    { name: 'Place', primitiveType: 'JSON', tags: { tag: 'gps' } },
    { name: 'Note', primitiveType: 'STRING', display: shown },
  ]
  const truck = await make({ name: 'Truck', groupId: line, signals })
  const template = await one<Made>(
    'mutation($input: CreateTemplateInput!) { createTemplate(input: $input) { id } }',
    { input: { name: 'Tank', signals: [{ key: 'level', signal: levelSignal }] } },
  )
  const tank = await make({ name: 'Tank 1', templateId: template.id })
  const findId = ({ signals: all }: Asset, wanted: string) =>
    all.find(({ name }) => name === wanted)?.id ?? assert.fail(`no signal ${wanted}`)
  return {
    pump: pump.id,
    heat: findId(pump, 'Heat'),
    on: findId(pump, 'On'),
    flow: findId(pump, 'Flow'),
    truck: truck.id,
    place: findId(truck, 'Place'),
    note: findId(truck, 'Note'),
    template: template.id,
    tank: tank.id,
    level: findId(tank, 'Level'),
  }
}

/** The display of a signal. */
export const shown = {
  visualize: false,
  record: false,
  favorite: true,
  archived: true,
  deviceDiagnostic: true,
  control: true,
  baseline: 5,
  target: 6.5,
  displayFormat: '0.0',
  visualizationUnitsMetric: 'LITRE',
  visualizationUnitsUS: 'GALLON',
}

const levelSignal = {
  name: 'Level',
  primitiveType: 'NUMERIC',
  precision: 1,
  min: 0,
  max: 100,
  timeoutMs: 86_400_000,
}

type Assets = Awaited<ReturnType<typeof makeAssets>>

/** A function of each kind, with a check of each kind. */
async function makeLinks({ one }: World, { pump, heat, on }: Assets) {
  const create = `mutation($input: LinkFunctionInput!) {
    linkFunction(input: $input) { id outlets } }`
  type Link = Made & { readonly outlets: readonly string[] }
  const link = (input: object) =>
    one<Link>(create, { input: { assetId: pump, moduleId: 'builtin', ...input } })
  const scale = await link({
    functionId: 'scale',
    groupId: 'calculate',
    name: 'Double heat',
    constants: { multiplier: 2 },
    checks: [
      { type: 'number', inlet: 0, minimum: -5, maximum: 500 },
      { type: 'time', from: '00:00', to: '00:00', timeZone: 'Europe/Berlin' },
      { type: 'json', inlet: 0, path: '$' },
      { type: 'number', outlet: 0, minimum: 0, maximum: 1_000 },
    ],
    inlets: [{ signalId: heat }],
  })
  const rule = await link({
    functionId: 'threshold',
    constants: { warning: 60 },
    checks: [{ type: 'number', inlet: 0, minimum: 1_000, not: true }],
    inlets: [{ signalId: heat }],
  })
  const action = await link({
    functionId: 'set_resource',
    groupId: 'actions',
    name: 'Slow down',
    constants: { alias: 'speed', value: '1' },
    checks: [{ type: 'string', inlet: 0, contains: '2' }],
    inlets: [{ signalId: rule.outlets[0] }],
    enabled: false,
  })
  const not = await link({
    functionId: 'not',
    groupId: 'logic',
    inlets: [{ signalId: on }],
    checks: [
      { type: 'boolean', inlet: 0, is: false },
      { type: 'boolean', outlet: 0, is: true },
    ],
  })
  return { scale, rule, action, not }
}

async function writeValues(
  { one, settled, startS: at }: World,
  device: TestDevice,
  assets: Assets,
): Promise<void> {
  const texts = [
    { '001': 41.5, '002': true, '003': 7 },
    { '001': 71, '002': false },
  ]
  const body = texts.map((values, index) => {
    return `${at + index}=${encodeURIComponent(JSON.stringify(values))}`
  })
  assert.equal((await device.record(`alias=data_in&${body.join('&')}`)).status, 204)
  const contact = '{ devices(ids: ["p-1"]) { state { lastHeard } } }'
  type Found = readonly { readonly state: { readonly lastHeard: string | null } }[]
  await until(
    () => one<Found>(contact),
    ([found]) => found?.state.lastHeard !== null,
  )
  const timestamp = new Date(at * 1_000).toISOString()
  const write = `mutation($values: [SignalValueInput!]!) {
    writeSignalValues(values: $values) { error { message } } }`
  const values = [
    { signalId: assets.place, value: { lat: 48.2, lng: 11.6 }, timestamp },
    { signalId: assets.note, value: 'full', timestamp },
    { signalId: assets.level, value: 12.5, timestamp },
  ]
  const errors = await one<readonly { error: unknown }[]>(write, { values })
  assert.deepEqual(errors, [{ error: null }, { error: null }, { error: null }])
  const update = `mutation($id: ID!, $input: UpdateAssetInput!) {
    updateAsset(id: $id, input: $input) { id } }`
  const input = { location: { signal: assets.place } }
  await one(update, { id: assets.truck, input })
  await one(update, { id: assets.truck, input: { locked: true } })
  await settled()
}

/** Judges the condition of the pump's heat as people do. */
async function judge(
  { one, basic }: World,
  { hall }: Readonly<Record<string, string>>,
  { pump, heat }: Assets,
) {
  const instruction = await one<Made>(
    `mutation($input: CreateWorkInstructionInput!) { createWorkInstruction(input: $input) { id } }`,
    { input: { name: 'Stop the pump', groupId: hall, file: files[0] } },
  )
  const add = `mutation($id: ID!, $file: WorkInstructionFileInput!) {
    addWorkInstructionVersion(id: $id, file: $file) { version } }`
  await one(add, { id: instruction.id, file: files[1] })
  const stored = '{ workInstructions { versions { id } } }'
  const [held] = await one<{ versions: Made[] }[]>(stored)
  const policy = await one<Made>(
    'mutation($input: PolicyInput!) { createPolicy(input: $input) { id } }',
    {
      input: {
        priority: 2,
        groupId: hall,
        workInstructionId: instruction.id,
        translations: [{ language: 'en', name: 'Too hot', policy: 'Stop it.' }],
      },
    },
  )
  const { condition, silence } = await waitForConditions(one, pump)
  const write = `mutation($id: ID!) { commentCondition(id: $id, comment: "Seen.") { id } }`
  const comment = await one<Made>(write, { id: condition }, basic)
  const info = {
    start_timestamp: startS,
    end_timestamp: startS + 60,
    assetNames: ['Pump'],
    signals: [{ id: heat, name: 'Heat' }],
    timezone: { format: '%H:%M:%S', offset: 1 },
  }
  const versions = held?.versions.map(({ id }) => id) ?? []
  const made = { instruction: instruction.id, policy: policy.id, comment: comment.id }
  return { ...made, versions, condition, silence, info }
}

/** The conditions of the rule and of the silent signal, once they are there. */
async function waitForConditions(one: World['one'], asset: string) {
  const query = `query($query: [ConditionQuery!]) {
    conditionQuery(query: $query) { results { id category } } }`
  type Found = { readonly results: readonly (Made & { readonly category: string })[] }
  const find = () => one<Found>(query, { query: [{ assetId: asset }] })
  const { results } = await until(find, (found) => found.results.length === 2)
  const findId = (wanted: string) => results.find(({ category }) => category === wanted)?.id ?? ''
  return { condition: findId('default'), silence: findId('timeout') }
}

/** Two versions of a file. */
const files = ['one', 'two'].map((text) => ({
  filename: `pump-${text}.pdf`,
  data: Buffer.from(text).toString('base64'),
  contentType: 'application/pdf',
  lastModified: '2026-01-31T12:00:00.000000Z',
}))

async function post(url: string, authorization: string, body: object): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Answer
}

async function call(url: string, authorization: string, method: string, body?: object) {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${url}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}
