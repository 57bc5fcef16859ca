import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { fillHistory } from './history.ts'
import { makeFleet, openInstance } from './instance.ts'

/** Fills a database with values. */

export type Filling = { readonly address: Address; readonly values: number }

const signals = 100

/** @returns the bytes of the table of values. */
async function fill({ address, values }: Filling): Promise<number> {
  const { platform, removeFolder } = await openInstance(address)
  try {
    await makeFleet(platform, signals)
    return await fillHistory(platform, values)
  } finally {
    await platform.close()
    await removeFolder()
  }
}

answerParent({ fill }, () => {})
