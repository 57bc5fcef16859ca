import type { Connector, Resource } from '../../api/connectors.ts'
import { readAddresses } from '../../api/overview.ts'
import { useRead } from '../live-queries.ts'
import { useShell } from '../session.tsx'
import type { Target } from '../snippets.ts'

const addressesEveryMs = 60_000
const values = { number: '21.5', string: 'hello', boolean: 'true' } as const
/** The resource that holds a JSON object of channels. */
const channels = 'data_in'

/**
 * Returns the facts that a program of a device needs, with the connector's real addresses; `target`
 * is undefined until they are read.
 */
export function useTarget(connector: Connector, identity: string) {
  const { origin } = useShell()
  const { data, error } = useRead('addresses', readAddresses, [connector.id], {
    everyMs: addressesEveryMs,
  })
  if (data === undefined) return { target: undefined, error }
  const target: Target = {
    ...{ connector: connector.id, identity, origin, addresses: data },
    ...pickExample(connector),
    isPlain: connector.protocol.devmode,
  }
  return { target, error }
}

/** The resource of a connector that has none yet. */
const fallback: [string, Resource] = [
  'temperature',
  { format: 'number', allowed: [], settable: false },
]

/** A resource and a value that it allows: any number, if there is such a one. */
function pickExample({ resources }: Connector) {
  const all = Object.entries(resources)
  const free = all.filter(([, { allowed }]) => allowed.length === 0)
  const found = free.find(([, { format }]) => format === 'number') ?? free[0] ?? all[0] ?? fallback
  return { alias: found[0], value: exampleValue(found) }
}

function exampleValue([
  alias,
  {
    allowed: [first],
    format,
  },
]: [string, Resource]): string {
  if (alias === channels) return '{"001":21.5}'
  return first === undefined ? values[format] : `${first}`
}
