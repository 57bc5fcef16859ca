import { makeCaller } from './caller.ts'
import { gather } from './evidence.ts'
import { constantRows } from './rows/constants.ts'
import { definitionRows } from './rows/definition.ts'
import { endpointRows } from './rows/endpoints.ts'
import { functionRows } from './rows/functions.ts'
import { listingRows } from './rows/listing.ts'
import { processRows } from './rows/process.ts'
import type { Row } from './rows/row.ts'

/** A row of the specification, and whether a module meets it. */
export type Check = {
  /** Such as `InsightInfo.type`. */
  readonly name: string
  /** In the words of the specification. */
  readonly rule: string
  readonly ok: boolean
  /** The number of things in the module's answers that the rule is about. */
  readonly count: number
  /** Why the module does not meet it. */
  readonly reason?: string
}

export type Conformance = { readonly checks: readonly Check[] }

export type CheckOptions = {
  /** Sent with each call, such as `{ authorization: 'Basic …' }`. */
  readonly headers?: { readonly [name: string]: string }
  /** The group to list, where the module requires one. Default `""`. */
  readonly groupId?: string
  /** For each call. Default 10 s. */
  readonly msMax?: number
}

const callMsMax = 10_000
const reasonsMax = 5

const rows: readonly Row[] = [
  ...endpointRows,
  ...definitionRows,
  ...listingRows,
  ...functionRows,
  ...constantRows,
  ...processRows,
]

/** The name and the words of every check, in their order. */
export const conformanceRules: readonly Pick<Check, 'name' | 'rule'>[] = rows.map(
  ({ name, rule }) => ({ name, rule }),
)

/**
 * Checks a served module, in whatever language it is written, against every row of the protocol.
 * Each function but actions is run, as the linkage `conformance`. Never rejects: a module that
 * cannot be reached fails its checks.
 *
 * @param baseUrl where the module is served, with its base path
 */
export async function checkModule(
  baseUrl: string,
  options: CheckOptions = {},
): Promise<Conformance> {
  const caller = makeCaller(baseUrl, options.headers ?? {}, options.msMax ?? callMsMax)
  const evidence = await gather(caller, baseUrl, options.groupId ?? '')
  const checks = rows.map(({ name, rule, look }): Check => {
    const findings = look(evidence)
    const faults = [...new Set(findings.filter((fault) => fault !== undefined))]
    const about = { name, rule, ok: faults.length === 0, count: findings.length }
    return faults.length === 0 ? about : { ...about, reason: formatReason(faults) }
  })
  return { checks }
}

function formatReason(faults: readonly string[]): string {
  const shown = faults.slice(0, reasonsMax).join('; ')
  const left = faults.length - reasonsMax
  return left > 0 ? `${shown}; and ${left} more` : shown
}
