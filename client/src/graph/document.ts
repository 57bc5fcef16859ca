/**
 * A document with the types of its answer and of its variables, which nobody reads at run time.
 * Documents that graphql-codegen makes in the mode `string` fit.
 */
export type GraphDocument<Data, Variables> = {
  toString(): string
  readonly __apiType?: (variables: Variables) => Data
}

/** Makes a typed document of a text; the types of the schema are exported beside it. */
export function graph<Data, Variables = Record<string, never>>(
  text: string,
): GraphDocument<Data, Variables> {
  return { toString: () => text }
}
