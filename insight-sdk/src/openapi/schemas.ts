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
function listSchema(name: string, maxItems?: number) {
  return { type: 'array', items: ref(name), ...(maxItems === undefined ? {} : { maxItems }) }
}
function object(properties: object, required: readonly string[] = []) {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}
function translationsSchema(properties: object) {
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
      translations: translationsSchema(words),
    },
    ['group_id_required'],
  ),
  InsightsFilterParams: object({ group_id: string, limit: integer, offset: integer }, ['group_id']),
  InsightListResults: object(
    { total: integer, count: integer, insights: listSchema('InsightInfo') },
    ['total', 'count', 'insights'],
  ),
  InsightInfo: object(
    {
      id: string,
      ...words,
      translations: translationsSchema(words),
      type: { type: 'string', enum: functionTypes, default: 'transform' },
      constants: listSchema('ConstantInfo'),
      constants_multiple_maximum: number,
      inlets: listSchema('SignalTypeInputInfo', inletsMax),
      outlets: listSchema('SignalTypeOutputInfo', outletsMax),
    },
    ['id', 'name', 'description'],
  ),
  SignalTypeInputInfo: object({ ...kind, tag: string, translations: translationsSchema(words) }, [
    'name',
  ]),
  SignalTypeOutputInfo: object({
    ...kind,
    suggested_name: string,
    translations: translationsSchema({ ...words, suggested_name: string }),
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
      translations: translationsSchema({ description: string, enum_presented: strings }),
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
  ProcessRequest: object({ id: string, data: listSchema('SignalData'), args }),
  ErrorResponse: object({ message: string, status: number, name: string }),
}
