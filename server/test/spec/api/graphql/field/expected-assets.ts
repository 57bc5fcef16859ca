import { toIso } from '../../../../../src/foundation/kernel/index.ts'
import { type Plant, shown } from './plant.ts'

/** Returns the answer to the document about assets. */
export function expectedAssets(plant: Plant) {
  return [expectPump(plant), expectTruck(plant), expectTank(plant)]
}

const usPerSecond = 1_000_000

const quiet = {
  locked: false,
  visualize: true,
  record: true,
  favorite: false,
  type: null,
  tag: null,
  channel: null,
  root: false,
  archived: false,
  data: [] as unknown[],
  units: null,
  precision: null,
  baseline: null,
  min: null,
  max: null,
  signalMin: null,
  signalMax: null,
  sampleRate: null,
  reportRate: null,
  target: null,
  timeout: null,
  displayFormat: null,
  visualizationUnitsMetric: null,
  visualizationUnitsUS: null,
  deviceDiagnostic: false,
  control: false,
  templateKey: null,
  templateOverrides: null,
}

const unset = {
  data_type: null,
  data_unit: null,
  precision: null,
  min: null,
  max: null,
  control: false,
}

/** Returns a value at a second of the plant. */
function said({ startS }: Plant, second: number, value: unknown) {
  const valueString = typeof value === 'string' ? value : JSON.stringify(value)
  return [{ timestamp: toIso((startS + second) * usPerSecond), valueString, value }]
}

const ofChannel = <Value>(value: Value) => ({ value, channel: value, signal: null })
const ofSignal = <Value>(value: Value) => ({ value, channel: null, signal: value })

/** Its device describes the first three signals, its functions make the others. */
function expectPump(plant: Plant) {
  const { assets, links, groups } = plant
  const numeric = { ...quiet, primitive_type: 'NUMERIC' }
  const boolean = { ...quiet, primitive_type: 'BOOLEAN' }
  const [scaled] = links.scale.outlets
  const [status] = links.rule.outlets
  const [negated] = links.not.outlets
  const level = { level: 2, type: 'threshold', value: 71 }
  return {
    id: assets.pump,
    name: 'Pump',
    description: 'Moves water.',
    locked: false,
    parent: { id: groups.hall, name: 'Hall' },
    meta: { serial: 'S-1', years: [2025, 2026] },
    location: { mode: 'fixed', signal: null },
    template: null,
    assetType: { name: 'pump' },
    signals: [
      expectHeat(plant),
      expectOn(plant),
      expectFlow(plant),
      { ...numeric, id: scaled, name: 'Scale and offset', data: said(plant, 1, 142) },
      {
        ...quiet,
        id: status,
        name: 'Threshold status',
        primitive_type: 'JSON',
        data: said(plant, 1, level),
      },
      { ...boolean, id: negated, name: 'Not', data: said(plant, 1, true) },
    ],
    ...expectFunctions(plant),
  }
}

function expectHeat(plant: Plant) {
  const data = said(plant, 1, 71)
  return {
    ...quiet,
    id: plant.assets.heat,
    name: 'Heat',
    primitive_type: 'NUMERIC',
    type: temperature,
    channel: {
      id: '001',
      display_name: 'Heat',
      properties: {
        data_type: 'TEMPERATURE',
        primitive_type: 'NUMERIC',
        data_unit: 'DEG_CELSIUS',
        precision: 2,
        min: -10,
        max: 120,
        control: true,
      },
      data,
    },
    root: true,
    data,
    units: { id: 'DEG_CELSIUS' },
    precision: ofChannel(2),
    min: -10,
    max: 120,
    signalMin: ofChannel(-10),
    signalMax: ofChannel(120),
    sampleRate: 500,
    reportRate: ofChannel(1_000),
    timeout: ofChannel(60_000),
    control: true,
  }
}

function expectOn(plant: Plant) {
  const data = said(plant, 1, false)
  const properties = { ...unset, data_type: 'BOOLEAN', primitive_type: 'BOOLEAN' }
  const type = { id: 'BOOLEAN', name: 'Boolean', primitive_type: 'BOOLEAN' }
  return {
    ...quiet,
    id: plant.assets.on,
    name: 'On',
    primitive_type: 'BOOLEAN',
    root: true,
    data,
    type: { ...type, convertable: false, units: [], conversions: [] },
    channel: { id: '002', display_name: 'On', properties, data },
  }
}

/** Neither its data type nor its unit is in the catalogue. */
function expectFlow(plant: Plant) {
  const data = said(plant, 0, 7)
  const type = { data_type: 'SLUDGE', primitive_type: 'NUMERIC', data_unit: 'BUCKETS' }
  return {
    ...quiet,
    id: plant.assets.flow,
    name: 'Flow',
    primitive_type: 'NUMERIC',
    root: true,
    data,
    units: { id: 'BUCKETS' },
    channel: { id: '003', display_name: 'Flow', properties: { ...unset, ...type }, data },
  }
}

const at = (id: string, check: object) => ({ id, check })
const builtin = { insight_id: 'builtin', locked: false, templateOverrides: null }

function expectFunctions(plant: Plant) {
  const { assets, links, startS } = plant
  const { heat } = assets
  const [status = ''] = links.rule.outlets
  const hot = { level: 'warning', type: 'threshold', value: 71, valueString: '71' }
  const rule = {
    ...builtin,
    id: links.rule.id,
    function_id: 'threshold',
    group_id: null,
    name: 'Threshold',
    subscribes: [{ id: heat, tag: '0' }],
    category: 'default',
    constants: { direction: 'above', warning: 60, hysteresis: 0, seconds: 0 },
    checks: { pre: [at(heat, { kind: 'number', inside: false, upper: null, lower: 1_000 })] },
    data: [
      {
        ...hot,
        timestamp: toIso((startS + 1) * usPerSecond),
        category: 'default',
        additionalFields: { ruleId: links.rule.id, signalId: heat },
      },
    ],
  }
  const action = {
    ...builtin,
    id: links.action.id,
    function_id: 'set_resource',
    group_id: 'actions',
    name: 'Slow down',
    enabled: false,
    action_definition_id: null,
    subscribes: [{ id: status, tag: '0' }],
    constants: { alias: 'speed', value: '1' },
    checks: { pre: [at(status, { kind: 'string', contains: '2' })] },
  }
  return { transformations: expectTransformations(plant), rulez: [rule], actions: [action] }
}

function expectTransformations({ assets: { heat, on }, links }: Plant) {
  const [scaled = ''] = links.scale.outlets
  const [negated = ''] = links.not.outlets
  const range = { days: null, from: '00:00', to: '00:00' }
  return [
    {
      ...builtin,
      id: links.scale.id,
      function_id: 'scale',
      group_id: 'calculate',
      name: 'Double heat',
      subscribes: [{ id: heat, tag: '0' }],
      publishes: [{ id: scaled }],
      constants: { multiplier: 2, offset: 0 },
      checks: {
        pre: [
          at(heat, { kind: 'number', inside: true, upper: 500, lower: -5 }),
          at(heat, { kind: 'time', range, tz: 'Europe/Berlin' }),
          at(heat, { kind: 'json', path: '$' }),
        ],
        post: [at(scaled, { kind: 'number', inside: true, upper: 1_000, lower: 0 })],
      },
    },
    {
      ...builtin,
      id: links.not.id,
      function_id: 'not',
      group_id: 'logic',
      name: 'Not',
      subscribes: [{ id: on, tag: '0' }],
      publishes: [{ id: negated }],
      constants: {},
      checks: {
        pre: [at(on, { kind: 'boolean', invert: true })],
        post: [at(negated, { kind: 'boolean', invert: false })],
      },
    },
  ]
}

/** A signal is its place, and it is locked. */
function expectTruck(plant: Plant) {
  const { assets, groups } = plant
  const locked = { ...quiet, locked: true }
  return {
    id: assets.truck,
    name: 'Truck',
    description: '',
    locked: true,
    parent: { id: groups.line, name: 'Line' },
    meta: {},
    location: { mode: 'signal', signal: assets.place },
    template: null,
    assetType: null,
    signals: [
      {
        ...locked,
        id: assets.place,
        name: 'Place',
        primitive_type: 'JSON',
        tag: 'gps',
        data: said(plant, 0, { lat: 48.2, lng: 11.6 }),
      },
      {
        ...locked,
        id: assets.note,
        name: 'Note',
        primitive_type: 'STRING',
        data: said(plant, 0, 'full'),
        ...shown,
      },
    ],
    ...noFunctions,
  }
}

const noFunctions = { transformations: [], rulez: [], actions: [] }

/** A template has made it, and nothing feeds its signal. */
function expectTank(plant: Plant) {
  const { assets, groups } = plant
  return {
    id: assets.tank,
    name: 'Tank 1',
    description: '',
    locked: false,
    parent: { id: groups.root, name: 'Root' },
    meta: {},
    location: null,
    template: { id: assets.template, name: 'Tank' },
    assetType: null,
    signals: [
      {
        ...quiet,
        id: assets.level,
        name: 'Level',
        primitive_type: 'NUMERIC',
        data: said(plant, 0, 12.5),
        precision: ofSignal(1),
        min: 0,
        max: 100,
        signalMin: ofSignal(0),
        signalMax: ofSignal(100),
        timeout: ofSignal(86_400_000),
        templateKey: 'level',
      },
    ],
    ...noFunctions,
  }
}

const units = [
  ['KELVIN', 'Kelvin', 'K', 1, 0],
  ['DEG_CELSIUS', 'Deg Celsius', '°C', 1, 273.15],
  ['DEG_FAHRENHEIT', 'Deg Fahrenheit', '°F', 5 / 9, 459.67 * (5 / 9)],
  ['RANKINE', 'Rankine', '°R', 5 / 9, 0],
] as const

const temperature = {
  id: 'TEMPERATURE',
  name: 'Temperature',
  convertable: true,
  primitive_type: 'NUMERIC',
  units: units.map(([id, name, abbr]) => {
    const usCustomaryConvert = id === 'RANKINE' ? id : 'DEG_FAHRENHEIT'
    const converts = { convert: 'KELVIN', siConvert: 'KELVIN', usCustomaryConvert }
    return { id, name, abbr, channelDataUnit: id, nonCompliant: false, ...converts }
  }),
  conversions: units.map(([id, name, _, multiplier, offset]) => {
    return { id, name, unit: 'KELVIN', multiplier, offset }
  }),
}
