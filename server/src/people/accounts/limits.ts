/** Limits of `accounts` that no operator sets. */
export const accountLimits = {
  /** The longest password of an account. */
  accountPasswordCharsMax: 512,
  /** Recovery codes of a user with a second step. */
  recoveryCodes: 10,
  /** The days after which an API token expires at the latest, if it expires. */
  apiTokenDaysMax: 3_660,
  /** Links that reset a password, to one user in the time of one link; more are not sent. */
  passwordResetsMax: 3,
  /** Roles of one business. */
  rolesMax: 200,
  /** The highest number of requests in a window that a role or an API token can be given. */
  graphqlTokenRequestsMax: 1_000_000,
  /** The highest sum of times in a window that a role or an API token can be given. */
  graphqlTokenMsMax: 100 * 3_600_000,
}
