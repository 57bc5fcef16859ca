export type { CostReport } from './cost.ts'
export { createGraphql, type Graphql, type GraphqlOptions } from './graphql.ts'
export { readSchema } from './schema.ts'
