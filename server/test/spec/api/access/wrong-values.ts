/** A JSON schema, as far as it is walked. */
type Node = {
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** The value with a field more, once for each object in it whose fields are all known. */
export function* withUnknownFields(given: object | undefined, value: unknown): Generator<unknown> {
  const schema = (given ?? {}) as Node
  const node = schema.anyOf?.find(({ properties, items }) => properties ?? items) ?? schema
  if (Array.isArray(value)) {
    const [one, ...others] = value
    for (const wrong of withUnknownFields(node.items, one)) yield [wrong, ...others]
  } else if (typeof value === 'object' && value !== null) {
    if (node.additionalProperties === false) yield { ...value, unheard: 1 }
    for (const [name, one] of Object.entries(value)) {
      const field = node.properties?.[name] ?? Object.values(node.patternProperties ?? {})[0]
      for (const wrong of withUnknownFields(field, one)) yield { ...value, [name]: wrong }
    }
  }
}

/** The whole numbers of a query, each with values that are refused and the largest that is not. */
export function listOutOfRange(query: object | undefined) {
  const fields = Object.entries((query as Node | undefined)?.properties ?? {})
  return fields
    .filter(([, { type }]) => type === 'integer')
    .map(([name, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }]) => {
      const above = maximum === Number.MAX_SAFE_INTEGER ? `${2 ** 53}` : `${maximum + 1}`
      return { name, wrong: ['x', '1.5', `${minimum - 1}`, above], largest: `${maximum}` }
    })
}
