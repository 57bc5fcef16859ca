import type { Clock, Logger } from '../kernel/index.ts'

export type TracesOptions = {
  readonly settings: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName: string
    /** The part of all traces that is sent, 0 to 1. */
    readonly ratio: number
  }
  /** What all processes on one database share, and no others. */
  readonly namespace: string
  readonly version: string
  readonly clock: Pick<Clock, 'nowMs'>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Sends traces by OpenTelemetry, the packages of which are loaded here and nowhere else: who does
 * not ask for traces does not pay for them.
 * @returns a function that ends it and sends what is left.
 */
export async function openTraces(options: TracesOptions): Promise<() => Promise<void>> {
  const { startSpans } = await import('./span-events.ts')
  return startSpans(options)
}
