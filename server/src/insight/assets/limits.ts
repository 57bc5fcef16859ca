/** Limits of `assets` that no operator sets. */
export const assetLimits = {
  /** Values in the JSON of a device's value, most of which are numbers. */
  deviceJsonValuesMax: 100_000,
  /** Versions of one template of assets that are kept. */
  templateVersionsMax: 100,
  /** Weeks for which the partitions of values are created ahead. */
  valueWeeksAhead: 4,
  /** The longest silence of a signal after which its asset may report it. */
  signalTimeoutMsMax: 100 * 365 * 24 * 3_600_000,
  /** Values that one statement writes. */
  valueBatchMax: 10_000,
  /** Lines that an asset's log keeps; the oldest are removed first. */
  assetLinesMax: 500,
  /** A comment on a condition. */
  conditionCommentCharsMax: 5_000,
  /** Outlets of an insight function. Stored data depend on it. */
  outletsMax: 5,
}
