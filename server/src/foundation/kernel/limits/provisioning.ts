import { type LimitDefinition, settable } from './kinds.ts'

/** Connectors, and the devices that they have. */
export const provisioningLimits = {
  /**
   * The time for which a whitelisted identity may wait for its activation if nothing else is set.
   */
  activationWindowHours: settable(48, 1, 10 * 366 * 24),
  /**
   * The time in which a device whose token was lost on its way may activate once more, from the
   * same address and before any use of the token, which ends. 0: never, a second activation is a
   * 409.
   */
  activationRetryMinutes: settable(0, 0, 24 * 60),
  /**
   * Identities of a connector if its setting `provisioning.identities_max` is not set, however they
   * came: whitelisted, by a CSV file, or by self-registration. Past it `connector_full`.
   */
  connectorIdentities: settable(1_000_000, 1, 100_000_000),
  /** The highest value of the setting `provisioning.identities_max`. */
  connectorIdentitiesMax: settable(10_000_000, 1, 100_000_000),
  /**
   * Self-registrations on a connector from one address in a minute, if its setting
   * `provisioning.registrations_per_minute` is not set. A minute begins with the first of them;
   * past it 429. An IPv6 network of 64 bits counts as one address. Each process counts its own.
   */
  registrationsPerMinute: settable(1_000, 1, 1_000_000),
  /** Devices whose verified passwords, or wrong ones, are cached. */
  devicePasswordsRememberedMax: settable(100_000, 100, 10_000_000),
  /** Resources of one connector. */
  resourcesMax: settable(200, 1, 2_000),
  /** Identities whose credentials are cached. */
  credentialCacheMax: settable(100_000, 100, 10_000_000),
  /** The time for which two credentials of a device are valid at once if nothing else is set. */
  rotationHours: settable(24, 1, 366 * 24),
  /** Connectors of one business. */
  connectorsMax: settable(1_000, 1, 100_000),
} as const satisfies Readonly<Record<string, LimitDefinition>>
