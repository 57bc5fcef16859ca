import type { Database } from '../database/index.ts'
import type { Clock, Random } from '../kernel/index.ts'

export type AssetsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
}
