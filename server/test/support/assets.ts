import type { TestContext } from 'node:test'
import { type Assets, createAssets, type NewSignal } from '../../src/assets/index.ts'
import type { Database } from '../../src/database/index.ts'
import { newId, systemRandom } from '../../src/kernel/index.ts'
import { testDatabase } from './database.ts'

/** 2025-11-19 12:00:00 UTC, in microseconds. */
export const noon = Date.UTC(2025, 10, 19, 12) * 1_000

/** A clock that stands until it is set. */
export function handClock(us = noon) {
  let now = us
  return {
    nowUs: () => now,
    nowMs: () => Math.floor(now / 1_000),
    elapsedMs: () => Math.floor(now / 1_000),
    set: (to: number) => {
      now = to
    },
  }
}

export type AssetsBench = {
  readonly assets: Assets
  readonly database: Database
  readonly clock: ReturnType<typeof handClock>
  readonly business: string
  readonly other: string
}

/** The module on a fresh database, two businesses, and a clock that stands at `noon`. */
export async function assetsBench(t: Pick<TestContext, 'after'>): Promise<AssetsBench> {
  const database = await testDatabase(t)
  const clock = handClock()
  const assets = createAssets({ database, clock, random: systemRandom })
  return { assets, database, clock, business: newId(systemRandom), other: newId(systemRandom) }
}

export function numeric(name: string, more: Partial<NewSignal> = {}): NewSignal {
  return { name, primitiveType: 'NUMERIC', ...more }
}
