import type { Device, Provisioning } from '../../provisioning/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { type FormPair, formatForm, parseAliases } from './form.ts'

/** The values that a read found. */
export type StateReading = {
  readonly pairs: readonly FormPair[]
  /** Microseconds of each of the values, in their order. */
  readonly stamps: readonly Stamps[]
}

export type Stamps = {
  readonly at: number
  /**
   * A stamp in the future that the value before had; negative: that this value had. Null: none.
   */
  readonly aheadAt: number | null
}

/** @throws Fault `too_large` if too many aliases are requested. */
export function parseRead(query: string): string[] {
  return parseAliases(query, deviceApiLimits.aliasesPerRequestMax)
}

/**
 * The values in force of those aliases that are defined and have one, in the order of the request.
 */
export async function read(
  provisioning: Provisioning,
  device: Device,
  aliases: readonly string[],
): Promise<StateReading> {
  const defined = aliases.filter((alias) => device.connector.resources.has(alias))
  if (defined.length === 0) return { pairs: [], stamps: [] }
  const values = await provisioning.values(device, defined)
  const pairs: FormPair[] = []
  const stamps: Stamps[] = []
  for (const alias of defined) {
    const value = values.get(alias)
    if (value === undefined) continue
    pairs.push({ key: alias, value: value.set })
    stamps.push({ at: value.timestamp, aheadAt: value.aheadAt })
  }
  return { pairs, stamps }
}

export function formatReading(reading: StateReading): string {
  return formatForm(reading.pairs)
}
