import fc from 'fast-check'

/** A JSON schema, as far as the documents of the API use it. */
export type Schema = {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

export type Components = Readonly<Record<string, Schema>>

const longChars = 70_000
const manyItems = 3_000
const deep = Array.from({ length: 500 }).reduce((inner) => [inner], [] as unknown)

/** Texts that a careless reader takes for something else. No host among them is reachable. */
export const oddTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u{1f600}',
    '\ufeffa',
    '%',
    '%00',
    '%c3',
    '../..',
    '/',
    '.',
  ],
  ...["'", '"', '\\', '$1', '{{', 'null', 'true', '0', '-1', '1e999', 'NaN', '__proto__', '$'],
  ...[
    'constructor',
    'http://127.0.0.1:1/',
    'a@b',
    '*',
    '[',
    '(',
    '\r\nX: y',
    'x'.repeat(longChars),
  ],
]

const oddNumbers = [-1, 0, 0.5, 1, 255, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324]
const oddValues = [
  ...[null, true, false, {}, [], [null], { '': '' }, deep, Array(manyItems).fill('x')],
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "toString": 2}'),
]

/** Values without regard to a schema. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.constantFrom(...oddNumbers),
  fc.constantFrom(...oddValues),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Draws values that a schema describes; the texts are of the world, or any. */
export function drawValues(components: Components, texts: readonly string[]) {
  const text = fc.oneof(
    fc.constantFrom(...texts),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('a', 'Pump station', '2026-01-01T00:00:00Z', '10.0.0.0/8', '1'),
  )
  const drawValue = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? ''
      return drawValue(components[name] ?? {}, depth)
    }
    const variants = schema.anyOf ?? schema.allOf
    if (variants !== undefined) return fc.oneof(...variants.map((one) => drawValue(one, depth)))
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (schema.const !== undefined) return fc.constant(schema.const)
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
    if (type === 'object' || schema.properties !== undefined) return drawObject(schema, depth)
    if (type === 'array') return drawList(schema, depth)
    if (type === 'integer' || type === 'number') return drawNumber(schema, type)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type !== 'string') return fc.jsonValue({ maxDepth: 1 })
    return schema.pattern === undefined ? text : fc.oneof(text, matching(schema.pattern, text))
  }
  const drawObject = (schema: Schema, depth: number) => {
    const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
    const all = Object.entries(properties).filter(([name]) => depth > 0 || required.includes(name))
    const fields = all.map(([name, one]) => [name, drawValue(one, depth - 1)])
    const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: required.filter((name) => properties[name] !== undefined),
    })
    const free = typeof additionalProperties === 'object' ? additionalProperties : undefined
    const other = Object.values(patternProperties)[0] ?? free
    if (other === undefined || depth <= 0) return known
    const more = fc.dictionary(text, drawValue(other, depth - 1), { maxKeys: 3 })
    return fc.tuple(known, more).map(([a, b]) => ({ ...b, ...a }))
  }
  const drawList = ({ items = {}, minItems = 0, maxItems = 3 }: Schema, depth: number) => {
    const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) }
    return fc.array(
      drawValue(items, depth - 1),
      depth > 0 ? bounds : { ...bounds, maxLength: minItems },
    )
  }
  return (schema: Schema) => drawValue(schema, 4)
}

function drawNumber({ minimum = -1e6, maximum = 1e6 }: Schema, type: string) {
  const whole = fc.oneof(
    fc.integer({
      min: Math.ceil(Math.max(minimum, -1e9)),
      max: Math.floor(Math.min(maximum, 1e9)),
    }),
    fc.constantFrom(minimum, maximum),
  )
  return type === 'integer'
    ? whole
    : fc.oneof(whole, fc.double({ noNaN: true, min: -1e9, max: 1e9 }))
}

function matching(pattern: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return otherwise
  }
}

/** The value with one of its parts replaced, left out or added: `at` chooses which. */
export function broken(value: unknown, at: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null || at % 7 === 0) return by
  if (Array.isArray(value)) {
    if (value.length === 0) return [by]
    const index = at % value.length
    return value.with(index, broken(value[index], Math.floor(at / 3), by))
  }
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)]
  if (name === undefined) return { ...value, [`field${at % 9}`]: by }
  const { [name]: inner, ...others } = value as Record<string, unknown>
  if (at % 5 === 0) return others
  return { ...others, [name]: broken(inner, Math.floor(at / 3), by) }
}
