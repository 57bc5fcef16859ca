import type { Logger } from '../../kernel/index.ts'
import type { Connection } from '../pool.ts'

export type Engine = { database(name: string): Promise<Connection>; stop(): Promise<void> }

export async function startEngine(_options: {
  dataDir: string
  owner: boolean
  logger: Logger
}): Promise<Engine> {
  throw new Error('the launcher is being written')
}
