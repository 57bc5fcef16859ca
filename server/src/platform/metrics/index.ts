export { logStages } from './lines.ts'
export { Metrics } from './metrics.ts'
export { openMetrics, openTraces, reasonAgainst } from './server.ts'
