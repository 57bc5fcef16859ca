import type { Change } from './reference-module.ts'

/** A way to break the protocol. */
export type ConformanceCase = {
  /** The act of the module. */
  readonly title: string
  /** The check that fails, and no other one of the same table. */
  readonly breaks: string
  readonly change: Change
}

type Rows = readonly (readonly [breaks: string, title: string, change: Change])[]

function toCases(rows: Rows): ConformanceCase[] {
  return rows.map(([breaks, title, change]) => ({ title, breaks, change }))
}

const html = '<p>hello</p>'

const endpoints = toCases([
  ['GET /interface', 'no definition', { replies: { 'GET /interface': [404, {}] } }],
  ['GET /info', 'an info in HTML', { replies: { 'GET /info': [200, html] } }],
  ['POST /insights', 'a list with 500', { replies: { 'POST /insights': [500, {}] } }],
  [
    'GET /insight/{function_id}',
    'a function that differs from the list',
    { replies: { 'GET /insight/alarm': [200, { id: 'alarm', name: 'A', description: '' }] } },
  ],
  ['POST /process', 'a call that fails', { replies: { 'POST /process': [500, {}] } }],
  ['POST /lifecycle', 'no lifecycle', { replies: { 'POST /lifecycle': [404, {}] } }],
  ['LifecycleEvent.event', 'refused events', { replies: { 'POST /lifecycle': [400, {}] } }],
  ['LifecycleEvent.id', 'refused events', { replies: { 'POST /lifecycle': [422, {}] } }],
  ['LifecycleEvent.args', 'refused events', { replies: { 'POST /lifecycle': [400, {}] } }],
  ['transport is JSON', 'an info in HTML', { replies: { 'GET /info': [200, html] } }],
  ['default: ErrorResponse', 'an unknown function runs', { replies: { failure: [200, [[]]] } }],
  ['default: ErrorResponse', 'a failure in HTML', { replies: { failure: [500, html] } }],
  ['ErrorResponse.message', 'a failure without a message', { failure: { message: undefined } }],
  ['ErrorResponse.status', 'a failure with a status in text', { failure: { status: '404' } }],
  ['ErrorResponse.name', 'a failure without a name', { failure: { name: undefined } }],
])

const definition = toCases([
  ['Definition.swagger', 'OpenAPI 3', { definition: { swagger: '3.0' } }],
  ['Definition.info.version', 'no version', { definition: { info: { title: 'T' } } }],
  [
    'Definition.tags',
    'a tag without a description',
    { definition: { tags: [{ name: 'insight' }] } },
  ],
  ['Definition.schemes', 'http beside https', { definition: { schemes: ['https', 'http'] } }],
  ['Definition.consumes', 'forms', { definition: { consumes: ['text/plain'] } }],
  ['Definition.produces', 'nothing in produces', { definition: { produces: [] } }],
  ['Definition.host', 'a URL as its host', { definition: { host: 'https://x.example' } }],
  ['Definition.basePath', 'a basePath without a slash', { definition: { basePath: 'v1' } }],
  ['Definition.paths', 'no operations', { definition: { paths: {} } }],
  [
    'info.x-vendor-config-parameters',
    'parameters that are no list',
    { definition: { info: { version: '1', 'x-vendor-config-parameters': {} } } },
  ],
  ['ConfigParameter.name', 'a parameter without a name', { parameter: { name: undefined } }],
  ['ConfigParameter.description', 'a number for words', { parameter: { description: 1 } }],
  ['ConfigParameter.type', 'a type that is a list', { parameter: { type: ['string'] } }],
  ['ConfigParameter.format', 'a format that is null', { parameter: { format: null } }],
  ['ConfigParameter.required', 'required in text', { parameter: { required: 'yes' } }],
])

const listing = toCases([
  [
    'InsightInfoResults.group_id_required',
    'an info without its field',
    { info: { group_id_required: undefined } },
  ],
  ['InsightInfoResults.name', 'a name that is a number', { info: { name: 1 } }],
  ['InsightInfoResults.description', 'a list of words', { info: { description: ['a'] } }],
  [
    'InsightInfoResults.wants_lifecycle_events',
    'a boolean in text',
    { info: { wants_lifecycle_events: 'true' } },
  ],
  [
    'InsightInfoResults.translations',
    'a translation that is a text',
    { info: { translations: { de: 'Mal zwei' } } },
  ],
  ['InsightsFilterParams.group_id', 'no list', { list: { insights: undefined } }],
  [
    'InsightsFilterParams.limit',
    'a list that ignores limit',
    { list: { insights: [{ id: 'a', name: 'A', description: '' }, { id: 'b' }] } },
  ],
  [
    'InsightsFilterParams.offset',
    'a list that ignores offset',
    { list: { count: 1, insights: [{ id: 'a', name: 'A', description: '' }] } },
  ],
  ['InsightListResults.total', 'a list without a total', { list: { total: undefined } }],
  ['InsightListResults.total', 'a total below the count', { list: { total: 0 } }],
  ['InsightListResults.count', 'a count in text', { list: { count: '2' } }],
  ['InsightListResults.count', 'a wrong count', { list: { count: 7, total: 7 } }],
  ['InsightListResults.insights', 'functions by name', { list: { insights: { double: {} } } }],
])

const functions = toCases([
  ['InsightInfo.id', 'a function without an id', { function: { id: undefined } }],
  ['InsightInfo.id is unique', 'a function twice', { function: { id: 'alarm' } }],
  ['InsightInfo.name', 'a function without a name', { function: { name: undefined } }],
  ['InsightInfo.description', 'no description', { function: { description: undefined } }],
  ['InsightInfo.translations', 'translations in a list', { function: { translations: [] } }],
  ['InsightInfo.type', 'a type that is unknown', { function: { type: 'filter' } }],
  ['InsightInfo.constants', 'constants by name', { function: { constants: { factor: {} } } }],
  [
    'InsightInfo.constants_multiple_maximum',
    'a maximum in text',
    { function: { constants_multiple_maximum: '3' } },
  ],
  [
    'InsightInfo.inlets',
    'six inlets',
    { function: { inlets: Array(6).fill({ name: 'I', primitive_type: 'JSON' }) } },
  ],
  ['InsightInfo.outlets', 'six outlets', { function: { outlets: Array(6).fill({ name: 'O' }) } }],
  ['InsightInfo.outlets', 'outlets as an object', { function: { outlets: { name: 'O' } } }],
  ['SignalTypeInputInfo.name', 'an inlet without a name', { inlet: { name: undefined } }],
  [
    'SignalTypeInputInfo.primitive_type',
    'a type in lower case',
    { inlet: { primitive_type: 'numeric' } },
  ],
  ['SignalTypeInputInfo.data_type', 'a data type in text', { inlet: { data_type: 'TEMPERATURE' } }],
  ['SignalTypeInputInfo.data_unit', 'an empty unit', { inlet: { data_unit: '' } }],
  ['SignalTypeInputInfo.tag', 'a tag that is a number', { inlet: { tag: 1 } }],
  ['SignalTypeInputInfo.description', 'a number for words', { inlet: { description: 1 } }],
  ['SignalTypeInputInfo.translations', 'a text', { inlet: { translations: 'de' } }],
  [
    'SignalTypeInputInfo kind',
    'an inlet of no kind',
    { inlet: { primitive_type: undefined, data_type: undefined, data_unit: undefined } },
  ],
  ['SignalTypeOutputInfo.name', 'a name that is a number', { outlet: { name: 1 } }],
  [
    'SignalTypeOutputInfo.primitive_type',
    'an unknown type',
    { outlet: { primitive_type: 'STATUS' } },
  ],
  ['SignalTypeOutputInfo.data_type', 'a data type in text', { outlet: { data_type: 'X' } }],
  ['SignalTypeOutputInfo.data_unit', 'an empty unit', { outlet: { data_unit: '' } }],
  ['SignalTypeOutputInfo.description', 'a number for words', { outlet: { description: 1 } }],
  [
    'SignalTypeOutputInfo.suggested_name',
    'a list of names',
    { outlet: { suggested_name: ['{}'] } },
  ],
  [
    'SignalTypeOutputInfo.translations',
    'a translated number',
    { outlet: { translations: { de: { suggested_name: 1 } } } },
  ],
])

const constants = toCases([
  ['ConstantInfo.name', 'a constant without a name', { constant: { name: undefined } }],
  ['ConstantInfo.type', 'a type of the field', { constant: { type: 'duration_modifier' } }],
  ['ConstantInfo.description', 'a number for words', { constant: { description: 1 } }],
  ['ConstantInfo.default', 'a default in text', { constant: { default: '2' } }],
  ['ConstantInfo.default', 'a default that is not allowed', { constant: { default: 3 } }],
  ['ConstantInfo.default', 'a list as a default', { constant: { multiple: true, default: [2] } }],
  ['ConstantInfo.enum', 'an allowed value above the maximum', { constant: { enum: [1, 2, 9] } }],
  [
    'ConstantInfo.enum_presented',
    'fewer words than values',
    { constant: { enum_presented: ['Once'], translations: undefined } },
  ],
  ['ConstantInfo.maximum', 'a maximum in text', { constant: { maximum: '4' } }],
  ['ConstantInfo.maximum', 'a maximum below the minimum', { constant: { minimum: 5 } }],
  ['ConstantInfo.minimum', 'a minimum in text', { constant: { minimum: '1' } }],
  ['ConstantInfo.multiple', 'a boolean in text', { constant: { multiple: 'false' } }],
  [
    'ConstantInfo.translations',
    'fewer translated words than values',
    { constant: { translations: { de: { enum_presented: ['1'] } } } },
  ],
])

const process = toCases([
  ['ProcessRequest.id', 'a call that fails', { replies: { 'POST /process': [400, {}] } }],
  ['ProcessRequest.data', 'a call that fails', { replies: { 'POST /process': [400, {}] } }],
  ['ProcessRequest.args', 'a call that fails', { replies: { 'POST /process': [400, {}] } }],
  ['process answers outlets', 'an object', { replies: { 'POST /process': [200, {}] } }],
  [
    'process answers outlets',
    'more outlets than declared',
    { replies: { 'POST /process': [200, [[], [{ ts: 1, value: 1 }]]] } },
  ],
  ['process answers outlets', 'a bare value', { replies: { 'POST /process': [200, [[7]]] } }],
  ['process copies its source', 'a lost tag', { signal: { tags: { inlet: 'in' } } }],
  ['process copies its source', 'another origin', { signal: { origin: 'module' } }],
  ['process keeps to its answers', 'HTML for a wrong value', { unusable: html }],
  ['SignalData.ts', 'a time in text', { signal: { ts: '1577836800000000' } }],
  ['SignalData.value', 'no value', { signal: { value: undefined } }],
  ['SignalData.value', 'a list as a value', { signal: { value: [1] } }],
  ['SignalData.origin', 'no origin', { signal: { origin: undefined } }],
  ['SignalData.generated', 'an empty publishing id', { signal: { generated: '' } }],
  ['SignalData.gts', 'a time with a fraction', { signal: { gts: 1.5 } }],
  ['SignalData.tags', 'a tag that is a number', { signal: { tags: { probe: 'kept', n: 1 } } }],
  ['SignalData.ttl', 'a ttl in text', { signal: { ttl: '7' } }],
])

/** Every way to break the protocol that the suite knows; each check but that of HTTPS has one. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...endpoints,
  ...definition,
  ...listing,
  ...functions,
  ...constants,
  ...process,
]
