/** Limits of `groups` that no operator sets. */
export const groupLimits = {
  /** The depth of nested groups. */
  groupDepthMax: 20,
  /** Groups that a statement names one by one for whoever sees no more than these. */
  groupsFewMax: 16,
}
