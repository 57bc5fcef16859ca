import type { TracesOptions } from './spans.ts'

/**
 * Sends traces by OpenTelemetry, the packages of which are loaded here and nowhere else: who does
 * not ask for traces does not pay for them.
 * @returns a function that ends it and sends what is left.
 */
export async function openTraces(options: TracesOptions): Promise<() => Promise<void>> {
  const { startSpans } = await import('./span-events.ts')
  return startSpans(options)
}
