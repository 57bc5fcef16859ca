export {
  type AskOptions,
  createGraphClient,
  type GraphClient,
  type GraphClientOptions,
  type SubscribeOptions,
} from './client.ts'
export { type GraphDocument, graph } from './document.ts'
export { type GraphCost, GraphError, type GraphErrorEntry, RateLimitError } from './errors.ts'
export type * from './generated/schema.ts'
