/** Limits of `graphql` that no operator sets. */
export const graphqlLimits = {
  /** Tokens in a GraphQL document. */
  graphqlTokensMax: 5_000,
  /** Nested selections in a GraphQL document. */
  graphqlDepthMax: 15,
  /** Selections of a GraphQL document, with every fragment expanded. */
  graphqlSelectionsMax: 1_000,
  /** Selections of one name at one place of a GraphQL document. */
  graphqlRepeatsMax: 50,
  /** Aliases of a GraphQL document, with every fragment expanded. */
  graphqlAliasesMax: 500,
  /** Directives in the text of a GraphQL document. */
  graphqlDirectivesMax: 100,
  /** Items of one list in the arguments of a GraphQL field. */
  graphqlListMax: 1_000,
  /** Rows that the estimate of a document counts for a list that has no limit of its own. */
  graphqlListAssumed: 20,
  /** The cost that a statement adds to a GraphQL document. */
  graphqlStatementCost: 100,
  /** Faults of a document, or of its variables, that one answer names. */
  graphqlErrorsMax: 5,
  /** Selections of `__type` in a GraphQL document. In introspection, nothing else has an alias. */
  graphqlTypesAskedMax: 5,
  /** Fields in one GraphQL answer, counted as rows times the document's selections. */
  graphqlFieldsMax: 500_000,
  /** Reads of single objects in one GraphQL request: histories, logs, states, devices. */
  graphqlLookupsMax: 100,
  /** Of these, those of one user or API token. */
  graphqlSubscriptionsOfHolderMax: 50,
  /** The interval at which the credentials of open subscriptions are checked again. */
  graphqlSubscriptionCheckMs: 500,
  /** Parsed and validated documents that are cached. */
  graphqlDocumentsMax: 500,
  /** The largest GraphQL document that is cached. */
  graphqlKeptCharsMax: 16 * 1024,
}
