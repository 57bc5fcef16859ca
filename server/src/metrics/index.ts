export { Metrics } from './metrics.ts'
export { openMetrics } from './server.ts'
