/** Limits of `services/user` that no operator sets. */
export const solutionUserLimits = {
  /** Users of one solution; past it `createUser` is refused with 413 `too_large`. */
  solutionUsersMax: 100_000,
  /** Hours in which a user of a solution can be activated by the code of the sign-up. */
  solutionActivationHours: 72,
  /** Hours in which a code of `requestPasswordReset` works. */
  solutionResetHours: 2,
  /** Tokens of one user of a solution; the oldest one ends where there would be more. */
  solutionTokensPerUserMax: 20,
  /** Wrong passwords for one e-mail address of a solution in a minute; then 429 without a check. */
  solutionSignInFailuresMax: 10,
  /** Parameters of one role of a solution. The schema of an operation has it. */
  roleParametersMax: 50,
  /** The data that a solution keeps of one user: keys and values, in UTF-8. */
  userDataBytesMax: 64 * 1024,
}
