import { Fault, limits } from '../kernel/index.ts'
import type { Device, Provisioning } from '../provisioning/index.ts'
import { formatForm, type Pair, parseAliases } from './form.ts'

/** What a read found. */
export type Reading = {
  readonly pairs: readonly Pair[]
  /** Microseconds of the newest of the values; 0 where there is none. */
  readonly newest: number
}

/** @throws Fault `invalid_argument` where too many aliases are asked for. */
export function parseRead(query: string): string[] {
  const aliases = parseAliases(query)
  if (aliases.length > limits.aliasesPerRequestMax) {
    throw new Fault('too_large', `More than ${limits.aliasesPerRequestMax} aliases.`)
  }
  return aliases
}

/** The values in force of those aliases that are defined and have one, in the order asked for. */
export async function read(
  provisioning: Provisioning,
  device: Device,
  aliases: readonly string[],
): Promise<Reading> {
  const defined = aliases.filter((alias) => device.connector.resources.has(alias))
  if (defined.length === 0) return { pairs: [], newest: 0 }
  const values = await provisioning.values(device, defined)
  const pairs: Pair[] = []
  let newest = 0
  for (const alias of defined) {
    const value = values.get(alias)
    if (value === undefined) continue
    pairs.push({ key: alias, value: value.set })
    newest = Math.max(newest, value.timestamp)
  }
  return { pairs, newest }
}

export function formatReading(reading: Reading): string {
  return formatForm(reading.pairs)
}
