import type { Database } from '../database/index.ts'
import type { Clock, Random } from '../kernel/index.ts'
import type { Assets } from './face.ts'

export type AssetsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
}

export function createAssets(_options: AssetsOptions): Assets {
  throw new Error('not built yet')
}
