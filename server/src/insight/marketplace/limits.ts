/** Limits of `marketplace` that no operator sets. */
export const marketplaceLimits = {
  /** Connecting to an insight module. */
  moduleConnectMsMax: 3_000,
  /** Attempts of a call that could not reach the module. */
  moduleTriesMax: 3,
  /** The definition of an insight module: an OpenAPI 2.0 file. */
  definitionBytesMax: 256 * 1024,
  /** References (`$ref`) in a definition. */
  definitionReferencesMax: 1_000,
  /** Configuration parameters of an insight module, and parameters of one of its operations. */
  moduleParametersMax: 100,
}
