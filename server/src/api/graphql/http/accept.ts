/** The kinds of answers that come whole. */
export type MediaType = 'application/json' | 'application/graphql-response+json'

/** The kinds of answers that a client accepts, by its header `Accept`. */
export type Acceptable = {
  /** Undefined: none that comes whole. */
  readonly whole: MediaType | undefined
  /** Server-sent events, for a subscription; `first`: for any operation. */
  readonly events: 'first' | 'also' | undefined
}

const eventStream = 'text/event-stream'

/** Reads the list with its weights; among equal ones the first counts. */
export function negotiate(accept = '*/*'): Acceptable {
  const types = accept
    .toLowerCase()
    .split(',')
    .map(parseRange)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ type }) => type ?? [])
  const events = types[0] === eventStream ? 'first' : 'also'
  return {
    whole: types.find((type) => type !== eventStream),
    events: types.includes(eventStream) ? events : undefined,
  }
}

function parseRange(range: string) {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const findParameter = (name: string) => {
    const found = parameters.find((parameter) => parameter.startsWith(`${name}=`))
    return found?.slice(name.length + 1).replaceAll('"', '')
  }
  const isUtf8 = /^utf-?8$/.test(findParameter('charset') ?? 'utf-8')
  return { type: isUtf8 ? toMediaType(type) : undefined, weight: Number(findParameter('q') ?? 1) }
}

function toMediaType(range: string): MediaType | typeof eventStream | undefined {
  if (range === 'application/*' || range === '*/*') return 'application/json'
  const types = ['application/json', 'application/graphql-response+json', eventStream] as const
  return types.find((type) => type === range)
}
