export { logStages } from './lines.ts'
export { Metrics } from './metrics.ts'
export { openMetrics, reasonAgainst } from './server.ts'
export { startSpans } from './span-events.ts'
