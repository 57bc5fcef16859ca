import * as accounts from './accounts.ts'
import * as connectors from './connectors.ts'
import type { Contract } from './contract.ts'
import * as instance from './instance.ts'

const modules: readonly Readonly<Record<string, object>>[] = [instance, accounts, connectors]

/** The contracts of all routes, by noun. */
export const contracts: readonly Contract[] = modules
  .flatMap((module) => Object.values(module))
  .filter((one): one is Contract => 'details' in one && 'path' in one)
