export { logStages } from './lines.ts'
export { Metrics } from './metrics.ts'
export { openMetrics } from './server.ts'
export { openTraces } from './traces.ts'
