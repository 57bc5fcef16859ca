import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, served } from './support/client.ts'
import { sampleModule } from './support/sample-module.ts'

/** A row of a table of the spec: the field, its notes, and what the answer holds there. */
type Row = readonly [field: string, notes: string, at: (answer: Answered) => unknown, is: unknown]

function rowTests(object: string, ask: { path: string; body?: object }, rows: readonly Row[]) {
  for (const [field, notes, at, is] of rows) {
    test(`${object}.${field}: ${notes}`, async (t) => {
      const client = await served(t, sampleModule())
      const { path, body } = ask
      const answer = body === undefined ? await client.get(path) : await client.post(path, body)
      equal(answer.status, 200)
      deepEqual(at(answer), is)
    })
  }
}

rowTests('InsightInfoResults', { path: '/info' }, [
  [
    'group_id_required',
    'true when listing functions requires a group_id',
    (it) => it.json.group_id_required,
    false,
  ],
  ['name', 'presented name', (it) => it.json.name, 'Sample'],
  ['description', 'markdown allowed', (it) => it.json.description, 'All that the *protocol* has'],
  [
    'wants_lifecycle_events',
    'true if the module wants lifecycle notifications',
    (it) => it.json.wants_lifecycle_events,
    true,
  ],
  [
    'translations',
    'keyed by language code',
    (it) => it.json.translations,
    { de: { name: 'Muster', description: 'Alles' } },
  ],
])

const ids = (it: Answered) => it.json.insights.map(({ id }: { id: string }) => id)
const all = ['scale', 'count', 'rules/high', 'broken', 'endless']

rowTests('InsightListResults', { path: '/insights', body: { group_id: '' } }, [
  ['total', 'total number of functions in the group', (it) => it.json.total, 5],
  ['count', 'number of functions returned', (it) => it.json.count, 5],
  ['insights', 'the functions', ids, all],
])

rowTests('InsightsFilterParams', { path: '/insights', body: { group_id: 'other' } }, [
  ['group_id', 'which group of functions to list', (it) => [it.json.total, ids(it).length], [4, 4]],
])

rowTests('InsightsFilterParams', { path: '/insights', body: { group_id: '', limit: 2 } }, [
  [
    'limit',
    'maximum number of functions to return',
    (it) => [it.json.total, it.json.count, ids(it)],
    [5, 2, all.slice(0, 2)],
  ],
])

rowTests('InsightsFilterParams', { path: '/insights', body: { group_id: '', offset: 3 } }, [
  [
    'offset',
    'offset into the returned functions',
    (it) => [it.json.total, it.json.count, ids(it)],
    [5, 2, all.slice(3)],
  ],
])

rowTests('InsightsFilterParams', { path: '/insights', body: { group_id: '', limit: 0 } }, [
  ['limit', '0 returns none, and the total', (it) => [it.json.total, it.json.count], [5, 0]],
])

rowTests('InsightInfo', { path: '/insight/scale' }, [
  ['id', 'unique id of the function', (it) => it.json.id, 'scale'],
  ['name', 'human-friendly name', (it) => it.json.name, 'Scale'],
  ['description', 'text shown to users', (it) => it.json.description, 'Times a factor'],
  ['translations', 'keyed by language code', (it) => it.json.translations.de.name, 'Skalieren'],
  ['type', 'default transform when omitted', (it) => it.json.type, 'transform'],
  ['constants', 'extra values', (it) => it.json.constants.length, 3],
  [
    'constants_multiple_maximum',
    'maximum repetitions of constants whose multiple is true',
    (it) => it.json.constants_multiple_maximum,
    3,
  ],
  ['inlets', 'kinds of data that can be connected', (it) => it.json.inlets.length, 1],
  ['outlets', 'kind of data each output produces', (it) => it.json.outlets.length, 2],
])

rowTests('InsightInfo', { path: '/insight/rules%2Fhigh' }, [
  ['type', 'one of transform, rule or action', (it) => it.json.type, 'rule'],
])

const inlet = (field: string) => (it: Answered) => it.json.inlets[0][field]
rowTests('SignalTypeInputInfo', { path: '/insight/scale' }, [
  ['name', 'name of the signal', inlet('name'), 'Left'],
  ['primitive_type', 'NUMERIC, STRING, BOOLEAN or JSON', inlet('primitive_type'), 'NUMERIC'],
  ['data_type', 'required data types', inlet('data_type'), ['TEMPERATURE']],
  ['data_unit', 'required units', inlet('data_unit'), ['DEG_CELSIUS']],
  ['tag', 'tag added to the SignalData for inlet matching', inlet('tag'), 'left'],
  ['description', 'help text', inlet('description'), 'The left one'],
  [
    'translations',
    'name and description',
    inlet('translations'),
    { de: { name: 'Skalieren', description: 'Mal einem Faktor' } },
  ],
])

const outlet = (field: string) => (it: Answered) => it.json.outlets[0][field]
rowTests('SignalTypeOutputInfo', { path: '/insight/scale' }, [
  ['name', 'name of the outlet', outlet('name'), 'Scaled'],
  ['primitive_type', 'NUMERIC, STRING, BOOLEAN or JSON', outlet('primitive_type'), 'NUMERIC'],
  ['data_type', 'data types of produced signals', outlet('data_type'), ['TEMPERATURE']],
  ['data_unit', 'units of produced signals', outlet('data_unit'), ['DEG_CELSIUS']],
  ['description', 'help text', outlet('description'), 'The result'],
  ['suggested_name', 'may contain {}', outlet('suggested_name'), '{} scaled'],
  [
    'translations',
    'name, description, suggested_name',
    outlet('translations'),
    { de: { name: 'Skaliert', suggested_name: '{} skaliert' } },
  ],
])

const constant = (index: number, field: string) => (it: Answered) => it.json.constants[index][field]
rowTests('ConstantInfo', { path: '/insight/scale' }, [
  ['name', 'code identifier of the constant', constant(0, 'name'), 'factor'],
  ['type', 'one of string, number, boolean', constant(0, 'type'), 'number'],
  ['description', 'words for the user', constant(0, 'description'), 'By how much'],
  ['default', 'used when the user gives no value', constant(0, 'default'), 2],
  ['maximum', 'largest value', constant(0, 'maximum'), 10],
  ['minimum', 'smallest value', constant(0, 'minimum'), 1],
  ['enum', 'allowed values', constant(1, 'enum'), ['a', 'b']],
  [
    'enum_presented',
    'display strings, as many as enum',
    constant(1, 'enum_presented'),
    ['Mode A', 'Mode B'],
  ],
  ['multiple', 'true: the constant is an array of values', constant(2, 'multiple'), true],
  [
    'translations',
    'description and enum_presented',
    constant(1, 'translations'),
    { de: { enum_presented: ['Art A', 'Art B'] } },
  ],
])

test('a field that a definition does not have is not sent', async (t) => {
  const { json } = await (await served(t, sampleModule())).get('/insight/rules%2Fhigh')
  const known = ['id', 'name', 'description', 'type', 'constants', 'inlets', 'outlets']
  deepEqual(Object.keys(json).sort(), known.sort())
  deepEqual(json.constants, [{ name: 'limit', type: 'number', default: 1 }])
})
