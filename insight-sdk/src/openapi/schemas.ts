import { functionTypes, inletsMax, outletsMax, primitiveTypes } from '../protocol.ts'

// The protocol's objects as JSON Schema, in the words of its tables.

const string = { type: 'string' }
const boolean = { type: 'boolean' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const text = { type: 'string', minLength: 1 }
const micros = { type: 'integer', format: 'int64', description: 'Unix time in microseconds' }
const anything = {}
const strings = { type: 'array', items: string }

function ref(name: string) {
  return { $ref: `#/definitions/${name}` }
}
function listOf(name: string, maxItems?: number) {
  return { type: 'array', items: ref(name), ...(maxItems === undefined ? {} : { maxItems }) }
}
function object(properties: object, required: readonly string[] = []) {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}
function translationsOf(properties: object) {
  return { type: 'object', additionalProperties: object(properties) }
}

const words = { name: string, description: string }
const kind = {
  name: string,
  primitive_type: { type: 'string', enum: primitiveTypes },
  data_type: strings,
  data_unit: strings,
  description: string,
}
const args = object({
  function_id: string,
  group_id: string,
  type: string,
  name: string,
  insight_id: string,
  constants: { type: 'object' },
})

/** `definitions` of every module's OpenAPI file. */
export const definitions = {
  InsightInfoResults: object(
    {
      ...words,
      group_id_required: boolean,
      wants_lifecycle_events: { ...boolean, default: false },
      translations: translationsOf(words),
    },
    ['group_id_required'],
  ),
  InsightsFilterParams: object({ group_id: string, limit: integer, offset: integer }, ['group_id']),
  InsightListResults: object({ total: integer, count: integer, insights: listOf('InsightInfo') }, [
    'total',
    'count',
    'insights',
  ]),
  InsightInfo: object(
    {
      id: string,
      ...words,
      translations: translationsOf(words),
      type: { type: 'string', enum: functionTypes, default: 'transform' },
      constants: listOf('ConstantInfo'),
      constants_multiple_maximum: number,
      inlets: listOf('SignalTypeInputInfo', inletsMax),
      outlets: listOf('SignalTypeOutputInfo', outletsMax),
    },
    ['id', 'name', 'description'],
  ),
  SignalTypeInputInfo: object({ ...kind, tag: string, translations: translationsOf(words) }, [
    'name',
  ]),
  SignalTypeOutputInfo: object({
    ...kind,
    suggested_name: string,
    translations: translationsOf({ ...words, suggested_name: string }),
  }),
  ConstantInfo: object(
    {
      name: string,
      type: { type: 'string', enum: ['string', 'number', 'boolean'] },
      description: string,
      default: anything,
      enum: { type: 'array', items: anything },
      enum_presented: strings,
      maximum: number,
      minimum: number,
      multiple: boolean,
      translations: translationsOf({ description: string, enum_presented: strings }),
    },
    ['name', 'type'],
  ),
  LifecycleEvent: object({
    event: { type: 'string', pattern: '(create|delete)' },
    id: string,
    args,
  }),
  SignalData: object(
    {
      ts: micros,
      value: { description: 'A string, a number, a boolean or an object' },
      origin: text,
      generated: text,
      gts: micros,
      tags: { type: 'object', additionalProperties: text },
      ttl: integer,
    },
    ['ts', 'value', 'origin', 'generated'],
  ),
  ProcessRequest: object({ id: string, data: listOf('SignalData'), args }),
  ErrorResponse: object({ message: string, status: number, name: string }),
}
