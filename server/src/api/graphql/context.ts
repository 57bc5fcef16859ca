import type { Provisioning } from '../../devices/provisioning/index.ts'
import type { Reports } from '../../insight/reports/index.ts'
import type { Principal } from '../../people/accounts/index.ts'
import type { Repeats } from './execution/repeats.ts'
import type { Work } from './limits/work.ts'
import { createLoaders, type LoaderOptions, type Loaders } from './loaders.ts'

/** The modules that resolvers call. */
export type GraphqlServices = LoaderOptions & {
  readonly provisioning: Provisioning
  readonly reports: Reports
  /** Connectors answer on `<id>.<domain>`. */
  readonly domain: string
}

/** A request: its principal, its budget, and the cache of its loaders. */
export type Context = GraphqlServices & {
  readonly repeats: Repeats
  readonly principal: Principal
  /** The only business that this request sees. */
  readonly businessId: string
  readonly work: Work
  /** Aborted when the subscription ends; of other operations when the time is up. */
  readonly ending: AbortSignal
  readonly loaders: Loaders
  /** Empties the cache: the guard of fields does so after each change. */
  forget(): void
}

/** @param names of the fields that the document selects. */
export function createContext(
  services: GraphqlServices & { readonly repeats: Repeats },
  principal: Principal,
  work: Work,
  names: ReadonlySet<string>,
  ending = work.signal,
): Context {
  const { businessId } = principal
  const lastValues = names.has('lastValue')
  let loaders: Loaders | undefined
  return {
    accounts: services.accounts,
    groups: services.groups,
    assets: services.assets,
    pipelines: services.pipelines,
    policies: services.policies,
    provisioning: services.provisioning,
    domain: services.domain,
    repeats: services.repeats,
    reports: services.reports,
    principal,
    businessId,
    work,
    ending,
    get loaders() {
      loaders ??= createLoaders(services, principal, work, { lastValues })
      return loaders
    },
    forget() {
      loaders = undefined
    },
  }
}
