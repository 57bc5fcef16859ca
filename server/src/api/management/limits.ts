/** Limits of `management` that no operator sets. */
export const managementLimits = {
  /** The time for which a client may send nothing of the file, or read nothing of the answer. */
  csvStallMsMax: 2 * 60_000,
  /** CSV files that a process imports at once; past it an operator receives 503. */
  csvImportsMax: 4,
  /** The body of a sign-in: the longest address and password, each letter as an escape. */
  signInBodyBytesMax: 8 * 1024,
  /** The body of a push: a folder's files in JSON. */
  solutionPushBytesMax: 16 * 1024 * 1024,
}
