/** Every limit of a served module, with its unit. `serve` takes others in their place. */
export const defaultLimits = {
  /** The bytes of one request. */
  bodyBytesMax: 1024 * 1024,
  /** To send one request. */
  requestMsMax: 30_000,
  /** For `process` and `onLifecycle` to come to an end. */
  processMsMax: 30_000,
  /** A kept connection without a request. */
  idleMsMax: 60_000,
  /** For running calls to end after `close`. */
  closeMsMax: 5_000,
  /** Linkages remembered; the one not used for longest goes first. */
  linksMax: 10_000,
  /** Functions in one answer of the list. */
  listMax: 1_000,
}

export type Limits = typeof defaultLimits
