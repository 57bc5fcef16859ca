export { createGraphql, type Graphql, type GraphqlOptions } from './graphql.ts'
export type { CostReport } from './limits/cost.ts'
export { readSchema } from './schema.ts'
export { graphqlRows } from './store.ts'
