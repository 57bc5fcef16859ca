import { faultOf, measure } from '../../../kernel/index.ts'
import type { HostEnd } from '../host.ts'
import { scriptError } from '../script-error.ts'

/** The quota of CPU of a business's scripts. */
export type CpuQuotas = {
  /** @throws Fault `business_rate_exceeded`, or rejects with it. */
  requireCpu(businessId: string): Promise<void> | undefined
  useCpu(businessId: string, ms: number): void
}

/** Runs a call unless the business has used up its CPU, and counts what the call used. */
export async function withinQuota(
  quotas: CpuQuotas | undefined,
  businessId: string,
  run: () => Promise<HostEnd>,
): Promise<HostEnd> {
  if (quotas === undefined) return measured(await run())
  try {
    const waiting = quotas.requireCpu(businessId)
    if (waiting !== undefined) await waiting
  } catch (error) {
    const { code, status, detail } = faultOf(error)
    if (code !== 'business_rate_exceeded') throw error
    const refused = { kind: 'stopped', limit: 'quota', error: scriptError(status, detail) } as const
    return measured({ ...refused, ...unused })
  }
  const end = await run()
  quotas.useCpu(businessId, end.usage.cpuMs)
  return measured(end)
}

function measured(end: HostEnd): HostEnd {
  const { cpuMs, wallMs: ms } = end.usage
  const outcome = end.kind === 'stopped' ? end.limit : end.kind
  measure('call', () => ({ of: 'script', outcome, ms, cpuMs }))
  return end
}

const unused = { usage: { cpuMs: 0, serviceCalls: 0, wallMs: 0 }, started: false } as const
