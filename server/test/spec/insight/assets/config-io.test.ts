import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { assetLimits, parseConfigIo, parseDataIn } from '../../../../src/insight/assets/index.ts'

const channel = {
  display_name: 'Water',
  description: 'in the tank',
  properties: {
    data_type: 'TEMPERATURE',
    primitive_type: 'NUMERIC',
    data_unit: 'DEG_CELSIUS',
    precision: 1,
    min: -20,
    max: 120,
    control: true,
  },
  protocol_config: { sample_rate: 1_000, report_rate: 10_000, timeout: 30_000 },
  iot_properties: { multiplier: 0.1, offset: -5, data_unit: 'DEG_CELSIUS' },
}

function read(channels: object) {
  const config = parseConfigIo(JSON.stringify({ last_edited: '2025-11-19T12:00:00Z', channels }))
  assert('channels' in config, JSON.stringify(config))
  return config
}

/** The one channel that comes of it, and what was said. */
function readOne(value: unknown) {
  const { channels, complaints } = read({ '001': value })
  const [one] = channels
  assert(one)
  return { ...one, complaints }
}

test('config_io: a full channel is understood without a complaint', () => {
  assert.deepEqual(readOne(channel), {
    channel: '001',
    name: 'Water',
    description: 'in the tank',
    primitiveType: 'NUMERIC',
    dataType: 'TEMPERATURE',
    dataUnit: 'DEG_CELSIUS',
    precision: 1,
    min: -20,
    max: 120,
    control: true,
    sampleRateMs: 1_000,
    reportRateMs: 10_000,
    timeoutMs: 30_000,
    multiplier: 0.1,
    offset: -5,
    complaints: [],
  })
})

test('config_io: an empty channel is a number named for itself', () => {
  const { name, primitiveType, dataUnit, timeoutMs, control, complaints } = readOne({})
  assert.deepEqual([name, primitiveType, dataUnit, timeoutMs], ['001', 'NUMERIC', null, null])
  assert.deepEqual([control, complaints], [false, []])
})

test('config_io: what is no object of channels is an error', () => {
  for (const text of ['', '{', 'null', '[]', '"x"', '{}', '{"channels":[]}', '{"channels":null}']) {
    assert('error' in parseConfigIo(text), text)
  }
  const long = JSON.stringify({ channels: {}, x: 'x'.repeat(limits.resourceValueBytesMax) })
  assert('error' in parseConfigIo(long))
})

test('config_io: units and types outside the catalogue are accepted with a warning', () => {
  const cases: [object, string | null, string | null, number][] = [
    [{ data_type: 'TEMPERATURE', data_unit: 'REAUMUR' }, 'TEMPERATURE', 'REAUMUR', 1],
    [{ data_type: 'KARMA', data_unit: 'POINTS' }, 'KARMA', 'POINTS', 1],
    [{ data_type: 'TEMPERATURE', data_unit: '' }, 'TEMPERATURE', null, 0],
    [{ data_type: ['HUMIDITY'], data_unit: 'PERCENT' }, 'HUMIDITY', 'PERCENT', 1],
    [{ data_unit: 'PERCENT' }, null, 'PERCENT', 0],
  ]
  for (const [properties, dataType, dataUnit, said] of cases) {
    const one = readOne({ properties })
    assert.deepEqual(
      [one.dataType, one.dataUnit, one.complaints.length],
      [dataType, dataUnit, said],
    )
    assert(one.complaints.every((sentence) => sentence.startsWith('channel "001": ')))
  }
})

test('config_io: the primitive type is the one given, else what the data type implies', () => {
  const cases: [object, string, number][] = [
    [{ primitive_type: 'boolean' }, 'BOOLEAN', 0],
    [{ primitive_type: 'STRING', data_type: 'TEMPERATURE' }, 'STRING', 0],
    [{ data_type: 'BOOLEAN' }, 'BOOLEAN', 0],
    [{ data_type: 'LOCATION' }, 'JSON', 0],
    [{ primitive_type: 'FLOAT', data_type: 'STRING' }, 'STRING', 1],
    [{ primitive_type: 7 }, 'NUMERIC', 1],
    [{ primitive_type: {} }, 'NUMERIC', 1],
  ]
  for (const [properties, primitiveType, said] of cases) {
    const one = readOne({ properties })
    assert.deepEqual([one.primitiveType, one.complaints.length], [primitiveType, said])
  }
})

test('config_io: sloppy numbers, texts and sections are taken or named', () => {
  const one = readOne({
    display_name: ` ${'n'.repeat(limits.nameCharsMax + 1)}`,
    properties: { min: '5', max: '4', precision: 'two' },
    protocol_config: { timeout: '2500.2', report_rate: 0, sample_rate: -1 },
    iot_properties: 'none',
  })
  assert.deepEqual([one.timeoutMs, one.reportRateMs, one.sampleRateMs], [2501, null, null])
  assert.deepEqual([one.min, one.max, one.precision, one.multiplier], [null, null, null, null])
  assert(one.name.length <= limits.nameCharsMax)
  assert.equal(one.complaints.length, 4)
  const never = readOne({ protocol_config: { timeout: 1e300 } })
  assert.deepEqual([never.timeoutMs, never.complaints.length], [assetLimits.signalTimeoutMsMax, 1])
})

test('config_io: what is no channel is left out and named', () => {
  const { channels, complaints } = read({
    '001': null,
    '002': [],
    '003': 'x',
    '': {},
    __error: {},
    'a\0': {},
    '\ud800': {},
    ['n'.repeat(limits.nameCharsMax + 1)]: {},
    '004': {},
  })
  assert.deepEqual(
    channels.map((one) => one.channel),
    ['004'],
  )
  assert.equal(complaints.length, 8)
})

test('config_io: channels and complaints are bounded', () => {
  const many = Array.from({ length: limits.signalsPerAssetMax + 1 }, (_, at) => [`c${at}`, {}])
  const full = read(Object.fromEntries(many))
  assert.deepEqual([full.channels.length, full.complaints.length], [limits.signalsPerAssetMax, 1])
  const odd = read(Object.fromEntries(many.map(([name]) => [name, 0])))
  assert.deepEqual([odd.channels.length, odd.complaints.length], [0, limits.complaintsMax])
})

test('config_io: prototypes are channels like any other', () => {
  const text = '{"channels":{"__proto__":{"display_name":"x"},"constructor":{}}}'
  const config = parseConfigIo(text)
  assert('channels' in config)
  assert.deepEqual(
    config.channels.map((one) => [one.channel, one.name]),
    [
      ['__proto__', 'x'],
      ['constructor', 'constructor'],
    ],
  )
})

test('data_in: any subset of channels, with what a channel could not convert', () => {
  const text = '{"001":true,"002":78.2,"__error":{"003":"text","004":5},"__proto__":1}'
  assert.deepEqual(parseDataIn(text), {
    values: new Map<string, unknown>([
      ['001', true],
      ['002', 78.2],
      ['__proto__', 1],
    ]),
    errors: new Map([
      ['003', 'text'],
      ['004', '5'],
    ]),
  })
  assert.deepEqual(parseDataIn('{}'), { values: new Map(), errors: new Map() })
  assert.deepEqual(parseDataIn('{"__error":"dead"}'), {
    values: new Map(),
    errors: new Map([['', 'dead']]),
  })
  for (const odd of ['', '[1]', 'null', '5', '{"001":NaN}', '{"001":1', '{"001":1}x']) {
    assert('error' in parseDataIn(odd), odd)
  }
  assert('error' in parseDataIn(`{"001":"${'x'.repeat(limits.resourceValueBytesMax)}"}`))
})

/** Channels as firmware writes them: each known field holds something, often the wrong thing. */
const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.constant('1e999'))
const section = fc.oneof(
  anything,
  fc.record(
    Object.fromEntries(
      ['data_type', 'primitive_type', 'data_unit', 'precision', 'min', 'max', 'timeout'].map(
        (name) => [name, anything],
      ),
    ),
    { requiredKeys: [] },
  ),
)
const sloppy = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.oneof(
    anything,
    fc.record(
      {
        display_name: anything,
        description: anything,
        properties: section,
        protocol_config: section,
        iot_properties: section,
      },
      { requiredKeys: [] },
    ),
  ),
)

test('config_io: whatever the channels hold, each is a channel or a complaint', () => {
  fc.assert(
    fc.property(sloppy, (channels) => {
      const config = read(channels)
      const named = new Set(config.channels.map((one) => one.channel))
      const names = Object.keys(JSON.parse(JSON.stringify(channels)) as object)
      assert.equal(named.size, config.channels.length)
      assert(names.length <= named.size + config.complaints.length)
      for (const one of config.channels) {
        assert(
          one.name !== '' && one.name.length <= limits.nameCharsMax && !one.name.includes('\0'),
        )
        assert(one.timeoutMs === null || (Number.isSafeInteger(one.timeoutMs) && one.timeoutMs > 0))
        assert(one.min === null || one.max === null || one.min <= one.max)
      }
    }),
  )
})

test('config_io and data_in: no text at all throws', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('['.repeat(100_000)))
  fc.assert(
    fc.property(text, (any) => {
      for (const read of [parseConfigIo(any), parseDataIn(any)]) assert.equal(typeof read, 'object')
      parseConfigIo(`{"channels":${any}}`)
    }),
  )
})

test('data_in: every channel that is given is found again', () => {
  const channels = fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter((name) => name !== '__error'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(channels, (said) => {
      const text = JSON.stringify(said)
      const read = parseDataIn(text)
      assert('values' in read)
      assert.equal(read.errors.size, 0)
      assert.deepEqual([...read.values], Object.entries(JSON.parse(text) as object))
    }),
  )
})
