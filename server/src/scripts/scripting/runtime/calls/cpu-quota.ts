import { measure, toFault } from '../../../../foundation/kernel/index.ts'
import type { HostEnd } from '../host.ts'
import { scriptError } from '../script-error.ts'

/** The quota of CPU of a business's scripts. */
export type CpuQuotas = {
  /** @throws Fault `business_rate_exceeded`, or rejects with it. */
  requireCpu(businessId: string): Promise<void> | undefined
  useCpu(businessId: string, ms: number): void
}

type MeasuredScript = {
  readonly businessId: string
  readonly solutionId: string
  readonly handler: string
  readonly trackingId: string
}

/** Runs a call unless the business has used up its CPU, and counts what the call used. */
export async function withinQuota(
  quotas: CpuQuotas | undefined,
  script: MeasuredScript,
  run: () => Promise<HostEnd>,
): Promise<HostEnd> {
  const { businessId } = script
  if (quotas === undefined) return measured(script, await run())
  try {
    const waiting = quotas.requireCpu(businessId)
    if (waiting !== undefined) await waiting
  } catch (error) {
    const { code, status, detail } = toFault(error)
    if (code !== 'business_rate_exceeded') throw error
    const refused = { kind: 'stopped', limit: 'quota', error: scriptError(status, detail) } as const
    return measured(script, { ...refused, ...unused })
  }
  const end = await run()
  quotas.useCpu(businessId, end.usage.cpuMs)
  return measured(script, end)
}

function measured({ solutionId, handler, trackingId }: MeasuredScript, end: HostEnd): HostEnd {
  const { cpuMs, wallMs: ms } = end.usage
  const outcome = end.kind === 'stopped' ? end.limit : end.kind
  measure('call', () => {
    return { of: 'script', outcome, ms, cpuMs, solutionId, handler, trackingId }
  })
  return end
}

const unused = { usage: { cpuMs: 0, serviceCalls: 0, wallMs: 0 }, started: false } as const
